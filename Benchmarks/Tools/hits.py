"""Prints how many hits a policy of libcachesim has: hits.py POLICY FILE CAPACITY [FILE CAPACITY ...].

A file has a key a line; each is replayed through a cache of its own, and has a line of the output.
"""

import sys

import libcachesim

policy = getattr(libcachesim, sys.argv[1])
request = libcachesim.Request()
request.obj_size = 1
for path, capacity in zip(sys.argv[2::2], sys.argv[3::2]):
    cache = policy(int(capacity))
    hits = 0
    with open(path) as trace:
        for line in trace:
            request.obj_id = int(line)
            hits += cache.get(request)
    print(hits, flush=True)
