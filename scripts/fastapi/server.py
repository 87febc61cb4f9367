"""Rows 0 to N-1 in three ways of paging, all of them those of fastapi-pagination.

/page       page number and size, with a total
/offset     limit and offset, with a total
/cursor     opaque cursors, both ways

PAGINATOR_ROWS rows. A request whose header X-Errors is p fails with that probability, by 503 or by closing the
connection; X-Delay is the longest time to wait in milliseconds. Both follow a seed.
"""

import asyncio
import os
import random
import socket
import sys
import threading

import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse
from fastapi_pagination import Page, LimitOffsetPage, add_pagination
from fastapi_pagination.cursor import CursorPage
from fastapi_pagination.customization import CustomizedPage, UseParamsFields
from fastapi_pagination.ext.sqlalchemy import paginate
from pydantic import BaseModel, ConfigDict
from sqlalchemy import create_engine, insert, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import StaticPool
from fastapi import Query

ROWS = int(os.environ.get("PAGINATOR_ROWS", "5000"))
random_source = random.Random(7)


class Base(DeclarativeBase):
    pass


class RowTable(Base):
    __tablename__ = "rows"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Row(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    id: int
    name: str


engine = create_engine(
    "sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool
)
Base.metadata.create_all(engine)
with Session(engine) as session:
    session.execute(
        insert(RowTable), [{"id": i, "name": f"row {i} é😀"} for i in range(ROWS)]
    )
    session.commit()

LargePage = CustomizedPage[Page, UseParamsFields(size=Query(50, ge=1, le=1000))]
LargeOffset = CustomizedPage[LimitOffsetPage, UseParamsFields(limit=Query(50, ge=1, le=1000))]
LargeCursor = CustomizedPage[CursorPage, UseParamsFields(size=Query(50, ge=1, le=1000))]

app = FastAPI()
lock = threading.Lock()


@app.middleware("http")
async def trouble(request: Request, call_next):
    errors = float(request.headers.get("x-errors", "0"))
    delay = float(request.headers.get("x-delay", "0"))
    if delay:
        await asyncio.sleep(random_source.random() * delay / 1000)
    if random_source.random() < errors:
        if random_source.random() < 0.5:
            return JSONResponse({"detail": "busy"}, status_code=503)
        return JSONResponse({"detail": "broken"}, status_code=500)
    return await call_next(request)


def rows():
    return select(RowTable).order_by(RowTable.id)


@app.get("/page")
def by_page() -> LargePage[Row]:
    with lock, Session(engine) as session:
        return paginate(session, rows())


@app.get("/offset")
def by_offset() -> LargeOffset[Row]:
    with lock, Session(engine) as session:
        return paginate(session, rows())


@app.get("/cursor")
def by_cursor() -> LargeCursor[Row]:
    with lock, Session(engine) as session:
        return paginate(session, rows())


add_pagination(app)

# With the protocol named, asyncio turns Nagle's algorithm off, which would cost 40 ms a request.
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
listener.bind(("127.0.0.1", 0))
listener.listen(128)


def stop_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=stop_with_input, daemon=True).start()
print(listener.getsockname()[1], flush=True)
uvicorn.Server(
    uvicorn.Config(app, log_level="error", access_log=False)
).run(sockets=[listener])
