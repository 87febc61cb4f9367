"""Pictures for the app's page, made of a number: hills under a sky, as PNG."""
import functools
import math
import random
import struct
import zlib

SKIES = [((255, 214, 165), (86, 125, 196)), ((196, 226, 246), (72, 116, 180)), ((255, 189, 173), (92, 70, 140)), ((226, 240, 217), (92, 158, 160)), ((32, 44, 84), (12, 16, 38)), ((250, 236, 205), (214, 150, 96))]


def mixed(one, other, part):
    return tuple(round(a + (b - a) * part) for a, b in zip(one, other))


@functools.lru_cache(maxsize=256)
def picture(number, width=480, height=320):
    """The bytes of a picture; the same number is the same picture."""
    chance = random.Random(number)
    low, high = chance.choice(SKIES)
    base = mixed(low, high, 0.6)
    hills = [(0.45 + 0.14 * at, chance.uniform(0.03, 0.1), chance.uniform(1, 3), chance.uniform(0, 6), mixed(base, (20, 34, 44), 0.35 + 0.18 * at)) for at in range(4)]
    tops = [[int(height * (level - size * math.sin(x / width * 2 * math.pi * waves / 2 + turn) - size / 3 * math.sin(x / width * 9 + turn * 2))) for x in range(width)] for level, size, waves, turn, _ in hills]
    sun = (chance.uniform(0.2, 0.8) * width, chance.uniform(0.15, 0.35) * height, chance.uniform(12, 30))
    lines = []
    for y in range(height):
        line = bytearray(bytes(mixed(high, low, min(1, y / height * 1.4))) * width)
        reach = sun[2] ** 2 - (y - sun[1]) ** 2
        if reach > 0:
            half = math.sqrt(reach)
            begin, end = max(0, int(sun[0] - half)), min(width, int(sun[0] + half))
            line[begin * 3:end * 3] = bytes(mixed(low, (255, 255, 255), 0.75)) * (end - begin)
        for top, (_, _, _, _, color) in zip(tops, hills):
            x = 0
            while x < width:
                if top[x] <= y:
                    begin = x
                    while x < width and top[x] <= y:
                        x += 1
                    line[begin * 3:x * 3] = bytes(color) * (x - begin)
                else:
                    x += 1
        lines.append(b"\0" + bytes(line))
    return png(width, height, b"".join(lines))


def png(width, height, lines):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(lines, 6)) + chunk(b"IEND", b"")
