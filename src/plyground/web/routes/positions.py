"""The interface for positions: which games there are, and what a position looks like."""

from __future__ import annotations

from fastapi import APIRouter, Request

from plyground.web.catalogue import Catalogue
from plyground.web.protocol.descriptions import game_card, view
from plyground.web.protocol.models import GameCard, Place, View

router = APIRouter(prefix="/api", tags=["Games and positions"])


@router.get("/games", summary="Every game")
def games(request: Request) -> list[GameCard]:
    catalogue: Catalogue = request.app.state.catalogue
    return [game_card(catalogue.find(name)) for name in catalogue.names]


@router.post("/positions", summary="A position as people see it, with its legal moves")
def positions(place: Place, request: Request) -> View:
    catalogue: Catalogue = request.app.state.catalogue
    return view(*catalogue.position(place))
