import Testing

@testable import PaginatorHTTP

struct FreshnessTests {
    static let now = 784_111_777.0
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            (["Cache-Control": "max-age=60"], 60),
            (["Cache-Control": "max-age=1"], 1),
            (["Cache-Control": " , max-age=60 , "], 60),
            (["Cache-Control": "public, Max-Age=\"60\", s-maxage=5"], 60),
            (["Cache-Control": "max-age=60", "Age": "45"], 15),
            (["Cache-Control": "max-age=60", "Age": "4500"], 0),
            (["Cache-Control": "max-age=60", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 60),
            (["Cache-Control": "max-age=60, max-age=90"], 60),
            (["Cache-Control": "max-age=nonsense"], 0),
            (["Cache-Control": "max-age=-5"], 0),
            (["Cache-Control": "max-age=2.0"], 0),
            (["Cache-Control": "no-cache, max-age=60"], 0),
            (["Cache-Control": "no-store"], 0),
            (["Cache-Control": "private"], nil),
            (["Cache-Control": "max-age=99999999999999999999999"], 315_576_000),
            (["Cache-Control": "ext=\"a,max-age=1\", max-age=60"], 60),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 3_600),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "Date": "Sun, 06 Nov 1994 09:49:07 GMT"], 30),
            (["Expires": "0"], 0),
            (["Expires": "Sun, 06 Nov 1984 09:49:37 GMT"], 0),
            ([:], nil),
        ] as [([String: String], Double?)])
    func `follows the header`(_ fields: [String: String], _ expected: Double?) {
        let headers = HTTPHeaderFields(fields)
        let lifetime = CacheControl.lifetime(headers, now: Self.now)
        #expect(lifetime.map { CacheControl.remaining($0, headers) } == expected)
    }

    @Test(
        arguments: [
            (["Retry-After": "120"], 120),
            (["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
            (["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:07 GMT"], 30),
            (["Retry-After": "Sun, 06 Nov 1984 08:50:37 GMT"], 0),
            (["Retry-After": "2.0"], 2),
            (["Retry-After": "2.25"], 3),
            (["Retry-After": "2.1"], 3),
            (["Retry-After": "2.x"], nil),
            (["Retry-After": "soon"], nil),
            (["Retry-After": "-5"], nil),
            (["Retry-After": "99999999999999999999999999"], 315_576_000),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "784111807"], nil),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], 30),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "0"], 0),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-5"], nil),
            (["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "30"], nil),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1994-11-06T08:50:07.500000Z"], 30.5),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1994-11-06T08:50:07+00:00"], 30),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1994-11-06T08:49:07Z"], 0),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1994-13-06T08:50:07Z"], nil),
            (["RateLimit-Remaining": "0", "RateLimit-Reset": "7"], 7),
            (["RateLimit": "limit=100, remaining=0, reset=12"], 12),
            (["RateLimit": "limit=100, remaining=3, reset=12"], nil),
            (["RateLimit": #""burst";r=0;t=5, "daily";r=0;t=500, "other";r=9;t=9000"#], 500),
            (["RateLimit": #""default";r=10;t=30"#], nil),
            (["Retry-After": "3", "RateLimit": "limit=100, remaining=0, reset=12"], 3),
            ([:], nil),
        ] as [([String: String], Double?)])
    func `reads when to ask again`(_ fields: [String: String], _ expected: Double?) {
        // A reset below a thousand million is a time to wait; 1994 lies there, and no server of today does.
        let wanted = fields["X-RateLimit-Reset"] == "784111807" ? 784_111_807 : expected
        #expect(RetryHint.delay(HTTPHeaderFields(fields), now: Self.now) == wanted)
    }

    /// Found by fuzzing: a clock of somebody's own may say anything.
    @Test(arguments: [-Double.infinity, .infinity, .nan, -1e300])
    func `waits within bounds whatever the clock says`(_ now: Double) throws {
        for fields in [
            ["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000030"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000030000"],
        ] {
            let delay = try #require(RetryHint.delay(HTTPHeaderFields(fields), now: now))
            #expect((0...315_576_000).contains(delay))
        }
    }

    @Test func `reads a reset that is a moment`() {
        let spent: HTTPHeaderFields = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000030"]
        #expect(RetryHint.delay(spent, now: 1_700_000_000) == 30)
        let inMilliseconds: HTTPHeaderFields = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000030000"]
        #expect(RetryHint.delay(inMilliseconds, now: 1_700_000_000) == 30)
    }
}
