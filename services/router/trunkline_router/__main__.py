"""`python -m trunkline_router`: the router alone, in front of servers that run elsewhere."""

from trunkline_shared.launch import imported

if __name__ == "__main__":
    (program,) = imported("trunkline_router.program")
    program.main()
