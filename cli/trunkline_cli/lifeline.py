"""The tie between the host process and its parent: a pipe that ends when the parent does.

The parent holds the writing end and never writes. However the parent ends, SIGKILL included, the
kernel closes that end, and the host reads the end of the file.
"""

import os
import signal
import threading
import time

GRACE_S = 2.0


def end_with_parent(reading_end: int) -> None:
    """End this process when the parent has gone: SIGTERM at once, for good after GRACE_S.

    A thread, not the event loop: it also works while the loop is blocked or not yet running.
    """
    threading.Thread(target=_watch, args=(reading_end,), daemon=True, name="lifeline").start()


def _watch(reading_end: int) -> None:
    while os.read(reading_end, 64):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S)
    os._exit(1)
