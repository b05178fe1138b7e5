"""Boards to begin with, as files have them."""

from __future__ import annotations

BOARDS = {
    # The course's own.
    "official": """\
5 5
#####
##* #
##A*#
# B##
#####
""",
    # The agents can never meet: each has a part of the board for itself.
    "board1": """\
7 7
###  ##
# *A  #
# ** ##
##    #
#  ####
#  #B #
# ### #
""",
    # A corridor: who walls it off keeps what is behind.
    "corridor": """\
7 3
*  #  *
A  *  B
*  #  *
""",
    # A ring with food at its corners, and nothing to hide behind.
    "ring": """\
5 5
*   *
 ###
A###B
 ###
*   *
""",
    # Two rooms with a door, and more food in the one without an agent.
    "rooms": """\
7 5
A  #* *
   # *
 *   *
   # *
B  #* *
""",
    # An open field.
    "field": """\
6 5
A *

  **

   * B
""",
    # Four rooms around a crossing.
    "crossing": """\
7 7
A *#  *
  # #
*     *
## * ##
*     *
  # #
*  #* B
""",
    # As wide as the largest boards of the course, with more free cells than a word has bits.
    "estate": """\
15 10
###############
#A  *    #   *#
#   ##   #    #
# *      ##   #
#    *        #
##  ###   *   #
#         ##  #
#  *   #     *#
#      #  *  B#
###############
""",
}
