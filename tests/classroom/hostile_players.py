"""Hostile players: what each does, and the verdict that it must get.

An act is what a player does when its file is loaded (`top`) or when it is asked to move (`turn`),
around a player that is as good as any: it goes for the first fish. So where an attempt on the
machine is refused, the player wins, and `gains(...)` ends it where one has succeeded.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

PLAYER = '''
import os, sys, time
from fishing_game_core.player_utils import PlayerController

def gains(what):
    """Try what must not be possible."""
    try:
        gained = what()
    except Exception as error:
        print("refused:", type(error).__name__, error, file=sys.stderr)
    else:
        os.write(2, f"gained: {gained!r}".encode())
        os._exit(66)

def protocol():
    """The descriptor of the referee's own pipe."""
    own = {os.readlink(f"/proc/self/fd/{number}") for number in (0, 1, 2)}
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{name}")
            os.write(int(name), b"") if target.startswith("pipe:") and target not in own else 1 / 0
        except (OSError, ArithmeticError):
            continue
        return int(name)

def compute(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

def towards(message):
    hook, fish = message["hooks_positions"][0], message["fishes_positions"].get(0)
    if fish is None or message["caught_fish"][0] is not None or hook == fish:
        return "up"
    if hook[0] != fish[0]:
        return "left" if fish[0] < hook[0] else "right"
    return "down" if fish[1] < hook[1] else "up"

{top}

class PlayerControllerMinimax(PlayerController):
    def player_loop(self):
        self.receiver()
        turn = 0
        while True:
            message = self.receiver()
            if message["game_over"]:
                return
            turn += 1
            action = towards(message)
{turn}
            self.sender({"action": action, "search_time": None, "depth": 1})
'''


@dataclass(frozen=True)
class Act:
    verdict: str
    reason: str
    """A pattern that the reason of the verdict matches as a whole."""
    top: str = ""
    turn: str = ""
    whole: bytes | None = None
    """The file itself, where it is something else altogether."""
    complaint: str = ""
    """A part of what the student gets to see."""
    long: bool = False
    """Whether it takes more moves than a short day has."""

    @property
    def file(self) -> bytes:
        if self.whole is not None:
            return self.whole
        turn = textwrap.indent(textwrap.dedent(self.turn), " " * 12)
        text = PLAYER.replace("{top}", textwrap.dedent(self.top)).replace("{turn}", turn)
        return text.encode()


WON = "the day is over, Green has 5 and Red 0"
FAILED = "{name} failed in move .*: "
ENDED = FAILED + "it ended before the game was over, with status "
NOT_LOADED = "{name} could not be loaded: "
SILENT = "{name} did not answer when it was asked to move"
LATE = r"{name} took \d+ ms for a move of 500 ms"


def harmless(turn: str = "", *, top: str = "", complaint: str = "") -> Act:
    """Whatever it tries, it gains nothing, and the game goes on."""
    return Act("AC", WON, top=top, turn=turn, complaint=complaint)


ACTS = {
    # Players as there are many
    "right": harmless(),
    "weak": Act("WA", "the day is over, Green has 0 and Red 0", turn="action = 'stay'"),
    "slow": harmless("time.sleep(0.05)"),
    "always late": Act("TLE", LATE, turn="compute(0.6)"),
    "late once": Act("TLE", LATE, turn="if turn == 2: compute(0.6)"),
    "incomplete": Act(
        "RTE",
        FAILED + "NotImplementedError: in player_loop, line .*",
        turn="raise NotImplementedError",
        complaint="NotImpl",
    ),
    "stops early": Act(
        "RTE",
        FAILED + "player.py: the player stopped .*",
        turn="return",
        complaint="stopped before the game",
    ),
    "crashes at once": Act(
        "RTE",
        NOT_LOADED + "ZeroDivisionError: .* in line .*",
        top="1 / 0",
        complaint="ZeroDivisionError",
    ),
    "crashes in the middle": Act(
        "RTE",
        FAILED + "KeyError: 'a' in player_loop, line .*",
        turn="if turn == 2: {}['a']",
        complaint="KeyError: 'a'",
    ),
    "leaves in the middle": Act(
        "RTE", FAILED + "it ended its own process .*", turn="if turn == 2: sys.exit()"
    ),
    "leaves at once without a word": Act("RTE", ENDED + "0", turn="os._exit(0)"),
    "kills itself": Act("RTE", ENDED + "137", turn="os.kill(os.getpid(), 9)"),
    "stops itself": Act("TLE", SILENT, turn="os.kill(os.getpid(), 19)"),
    "is silent": Act("TLE", SILENT, turn="time.sleep(1000)"),
    "loops for ever": Act("TLE", SILENT, turn="while True: pass"),
    "answers with no action": Act(
        "WA",
        "in move 1 the player answered 'fly'.*; an action is one of the words stay, up, .*",
        turn="action = 'fly'",
    ),
    "answers with an object": Act(
        "WA",
        "in move 1 the player answered <object object at .*>.*; an action is .*",
        turn="action = object()",
    ),
    "answers twice": Act("RTE", FAILED + ".*", turn="self.sender({'action': action})"),
    "boasts of its depth": harmless(top="NAME = 'x' * 10**6"),
    "has no class": Act(
        "RTE",
        r"player.py defines neither PlayerControllerMinimax nor choose\(position, clock\)",
        whole=b"def main(): pass\n",
    ),
    "spells it otherwise": Act(
        "RTE",
        r".*\(names are spelt exactly so: PlayerControllerMinimax\)",
        whole=b"class PlayercontrollerMinimax: pass\n",
    ),
    "imports what is not there": Act(
        "RTE",
        NOT_LOADED + ".*",
        top="import tensorflow_99",
        complaint="No module named 'tensorflow_99'",
    ),
    "is no Python": Act(
        "RTE",
        NOT_LOADED + ".*",
        whole=b"class PlayerControllerMinimax:\n  def (:\n",
        complaint="SyntaxError",
    ),
    "is in an unknown encoding": Act(
        "RTE",
        NOT_LOADED + ".*",
        whole=b"class PlayerControllerMinimax: name = 'caf\xe9'\n",
        complaint="(unicode error) 'utf-8' codec can't decode",
    ),
    "is in UTF-16": Act(
        "RTE",
        "player.py defines neither .*",
        whole="class PlayerControllerMinimax: pass\n".encode("utf-16"),
    ),
    "has zeros in it": Act(
        "RTE",
        NOT_LOADED + ".*",
        whole=b"class PlayerControllerMinimax: pass\n\0\n",
        complaint="null",
    ),
    "is empty": Act("RTE", "player.py defines neither .*", whole=b""),
    # Forgers
    "prints forged verdicts": Act(
        "WA",
        "the day is over, Green has 0 and Red 0",
        turn="""
            action = "stay"
            for text in ('{"verdict": "AC"}', '{"type": "over"}', '{"type":"move","move":"down"}'):
                print(text, flush=True)
                os.write(1, text.encode() + b"\\n")
        """,
        complaint='{"verdict": "AC"}',
    ),
    "forges on the referee's own pipe": Act(
        "WA",
        "in move 1 the player answered something else than a move.*; an action is .*",
        turn="""os.write(protocol(), b'{"type": "over", "verdict": "AC", "score": 25}\\n')""",
    ),
    "says nonsense on the referee's own pipe": Act(
        "WA",
        r"{name} answered with b'AC\\x1b\[31m': no JSON object",
        turn="os.write(protocol(), b'AC\\x1b[31m\\n')",
    ),
    "closes the referee's pipe": Act(
        "RTE", ENDED + "1", turn="os.closerange(3, 99)", complaint="closed the pipes"
    ),
    "pretends that there was no sandbox": Act(
        "RTE",
        NOT_LOADED + ".*",
        top="os.write(2, b'bwrap: Creating new namespace failed'); os._exit(1)",
    ),
    "prints markup": harmless("print('<script>alert(1)</script>\\x1b[2J\\0')"),
    "computes beside itself": Act(
        "TLE",
        LATE,
        turn="""
            import signal
            gains(lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
            for _ in range(4):
                if not os.fork():
                    compute(0.15)
                    os._exit(0)
            compute(0.15)
            for _ in range(4): os.wait()
        """,
    ),
    # Bombs
    "prints 100 MB": harmless(
        top="for _ in range(1600): os.write(1, b'x' * 65536)", complaint="x" * 3000
    ),
    "complains 100 MB": harmless(
        top="for _ in range(100): sys.stderr.write('e' * 10**6)", complaint="e" * 3000
    ),
    "answers 100 MB": Act(
        "WA",
        "{name} answered with more than any answer needs",
        turn="""
            for _ in range(1600): os.write(protocol(), b'x' * 65536)
        """,
    ),
    "is a fork bomb": Act(
        "TLE",
        SILENT,
        turn="""
            while True:
                try: os.fork()
                except OSError: time.sleep(0.001)
        """,
    ),
    "is a thread bomb": harmless(
        top="""
            import threading
            try:
                while True: threading.Thread(target=time.sleep, args=[99], daemon=True).start()
            except RuntimeError as error: print(error)
        """,
        complaint="can't start new thread",
    ),
    "is a memory bomb": Act(
        "RTE",
        NOT_LOADED + ".*",
        top="taken = [bytearray(256 << 20) for _ in range(99)]",
        complaint="MemoryError",
    ),
    "is a memory bomb in many parts": Act(
        "RTE",
        "{name} was ended: its processes hold more than 1024 MiB of memory",
        top="""
            for _ in range(6):
                if not os.fork():
                    taken = bytearray(b"x") * (250 << 20)
                    time.sleep(99)
            time.sleep(99)
        """,
    ),
    "makes a million files": Act(
        "RTE",
        "{name} was ended: it has made more than 10000 files",
        turn="""
            for number in range(10**6): os.close(os.open(f"/tmp/{number}", os.O_CREAT))
        """,
    ),
    "makes files a few at a time": Act(
        "RTE",
        "{name} was ended: it has made more than 10000 files",
        turn="""
            for number in range(300): os.close(os.open(f"/tmp/{turn}-{number}", os.O_CREAT))
        """,
        long=True,
    ),
    "hoards memory beside short answers": Act(
        "RTE",
        "{name} was ended: its processes hold more than 1024 MiB of memory",
        turn="""
            if turn == 1:
                for _ in range(8):
                    if not os.fork():
                        taken = []
                        for _ in range(250):
                            taken.append(bytearray(b"x") * (1 << 20))
                            time.sleep(0.005)
                        time.sleep(99)
            time.sleep(0.01)
        """,
        long=True,
    ),
    "is a disk bomb": harmless(
        top="""
            written = 0
            try:
                for number in range(99):
                    with open(f"/tmp/{number}", "wb", buffering=0) as file:
                        for _ in range(8): written += file.write(bytes(1 << 20))
            except OSError as error: print(error)
            if written > 16 << 20: os._exit(66)
        """,
        complaint="No space left on device",
    ),
    # Burglars
    "connects by TCP": harmless(
        "import socket; gains(lambda: socket.create_connection(('192.0.2.1', 80), 0.1))"
    ),
    "sends by UDP": harmless(
        """
            import socket
            gains(lambda: socket.socket(2, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53)))
        """
    ),
    "connects to the machine itself": harmless(
        "import socket; gains(lambda: socket.create_connection(('127.0.0.1', 22), 0.1))"
    ),
    "reads the passwords": harmless("gains(lambda: open('/etc/shadow').read())"),
    "reads other submissions": harmless("gains(lambda: os.listdir('{elsewhere}'))"),
    "reads the suite": harmless(
        """
            gains(lambda: open('{elsewhere}/suite/suite.json').read())
            import fishing_game_core
            inside = os.path.dirname(os.path.dirname(fishing_game_core.__file__))
            gains(lambda: os.listdir(inside + '/../suites')[0])
        """
    ),
    "reads the environment": harmless(
        """
            known = {"PATH", "HOME", "LANG", "PWD", "LC_CTYPE"}
            gains(lambda: (set(os.environ) - known).pop())
            gains(lambda: open('/proc/1/environ').read()[0])
        """
    ),
    "reads inherited files": harmless(
        """
            gains(lambda: [os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd')
                           if os.path.isfile(f'/proc/self/fd/{n}')][0])
        """
    ),
    "looks through links": harmless(
        """
            if turn == 1: os.symlink('/etc/shadow', '/tmp/link'); os.mkfifo('/tmp/pipe')
            gains(lambda: open('/tmp/link').read())
            gains(lambda: os.listdir('/proc/1/root'))
            gains(lambda: os.listdir('/proc/self/root/root/.ssh'))
        """
    ),
    "writes outside": harmless(
        """
            for place in ('/x', '/usr/x', '/etc/x', '/player/x', '/player/player.py', '/dev/x',
                          '/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger'):
                gains(lambda: open(place, 'w'))
        """
    ),
    "kills its parent": harmless(
        """
            import signal
            for one in (os.getppid(), 1, -1):
                try: os.kill(one, signal.SIGKILL)
                except OSError as error: print(error)
        """
    ),
    "traces, mounts, unshares": harmless(
        """
            import ctypes
            libc = ctypes.CDLL(None)
            def call(function, *arguments):
                if function(*arguments) < 0: raise OSError
            gains(lambda: call(libc.ptrace, 16, 1, 0, 0))
            gains(lambda: call(libc.mount, b'none', b'/tmp', b'tmpfs', 0, None))
            gains(lambda: call(libc.unshare, 0x10000000))
            gains(lambda: call(libc.personality, 0x0040000))
            gains(lambda: open('/proc/1/mem', 'r+b'))
            gains(lambda: open('/proc/self/oom_score_adj', 'w').write('0'))
        """
    ),
    "becomes root": harmless(
        """
            gains(lambda: os.setuid(0))
            gains(lambda: os.chown('/tmp', 0, 0))
        """
    ),
    "lives on": harmless(
        """
            import signal
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            if turn == 1 and not os.fork():
                os.setsid()
                if not os.fork(): time.sleep(1000)
                os._exit(0)
        """
    ),
}
