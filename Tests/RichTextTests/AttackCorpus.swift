/// What attackers put into HTML that others read.
enum AttackCorpus {
    static let all = scripts + handlers + addresses + broken + encodings + embedded

    static let scripts = [
        "<script>alert(1)</script>hello",
        "<ScRiPt src=//evil.example/x.js></sCrIpT>hello",
        "<script\u{0}>alert(1)</script>hello",
        "<script/x>alert(1)</script>hello",
        "<script>\n<!--\nalert(1)//--></script>hello",
        "<script><b>hello</script></b>",
        "<<script>script>alert(1)<</script>/script>hello",
        "</script><script>alert(1)</script>hello",
        "<scr<script>ipt>alert(1)</scr</script>ipt>hello",
        "<style>body{background:url(javascript:alert(1))}</style>hello",
        "<style>@import 'javascript:alert(1)';</style>hello",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>hello",
        "<xmp><script>alert(1)</script></xmp>hello",
        "<plaintext><script>alert(1)</script>",
        "<template><script>alert(1)</script></template>hello",
        "<title><script>alert(1)</script></title>hello",
        "<textarea><script>alert(1)</script></textarea>hello",
        "<listing>&lt;script&gt;alert(1)&lt;/script&gt;</listing>",
    ]

    static let handlers = [
        "<p onclick=alert(1)>hello</p>",
        "<b onmouseover=\"alert(1)\">hello</b>",
        "<img src=x onerror=alert(1)>hello",
        "<img src=x:x onerror\u{0}=alert(1)>hello",
        "<body onload=alert(1)>hello</body>",
        "<svg/onload=alert(1)>hello</svg>hello",
        "<details open ontoggle=alert(1)>hello</details>",
        "<input autofocus onfocus=alert(1)>hello",
        "<a href=\"https://ok.example/\" onclick=\"alert(1)\" style=\"position:fixed\">hello</a>",
        "<video><source onerror=alert(1)></video>hello",
        "<marquee onstart=alert(1)>hello</marquee>",
        "<p style=\"background:url(javascript:alert(1))\">hello</p>",
        "<div id=x tabindex=1 onfocus=alert(1)></div>hello",
        "<b/onclick=alert(1)//>hello</b>",
        "<b \" onclick=alert(1)>hello</b>",
    ]

    static let addresses = [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
        "java\nscript:alert(1)", "java&#10;script:alert(1)", "java&Tab;script:alert(1)", "&#106;avascript:alert(1)",
        "&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)", "\u{1}javascript:alert(1)",
        "javascript&colon;alert(1)", "javascript\u{a0}:alert(1)", "\u{feff}javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>", "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
        "DATA:image/svg+xml,<svg onload=alert(1)>", "vbscript:msgbox(1)", "file:///etc/passwd", "blob:https://x/1",
        "filesystem:https://x/1", "about:blank", "view-source:javascript:alert(1)", "feed:javascript:alert(1)",
        "jar:https://x!/a", "//evil.example/", "/\\evil.example", "\\\\evil.example\\x", "https:evil", "https:///x",
        "http://?x", "mailto:", "myapp://open", "x", "#x", "", ":", "https//x", "javascript:https://ok.example/",
        "javascript://ok.example/%0aalert(1)", "mailto://x@y", "1https://x",
    ].map { "<a href=\"\($0)\">hello</a>" }

    static let broken = [
        "<b><i>hello</b></i>", "<p>hello<p>hello</div></span>", "<a href=\"https://ok.example/>hello", "<", ">", "<>",
        "</", "<!", "<!--", "<!-- --!><script>alert(1)</script> -->hello", "<!-->hello<script>alert(1)</script>-->",
        "<![CDATA[<script>alert(1)</script>]]>hello", "<?php echo 1 ?>hello", "<!doctype html [<!ENTITY x SYSTEM",
        "<b hello", "hello</b", "<b =\"x\" =y>hello</b>", "&", "&#", "&#x;", "&#0;hello", "&#xD800;hello",
        "&#x110000;hello", "&#99999999999999999999;hello", "&nosuch;hello", "&amp;lt;script&amp;gt;hello",
        "<li>hello<li>hello", "<td>hello", "<table><script>alert(1)</script><tr><td>hello</table>",
        "<ol start=-5><li>hello</ol>", "<ol start=99999999999999999999><li>hello</ol>", "<h9>hello</h9>",
        "<a><a><a href=https://ok.example/>hello</a></a></a>", "<p/><p//><p hello>", "\u{0}<b>\u{0}hello\u{0}</b>",
        "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>hello",
        "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">hello",
        "<form><button formaction=javascript:alert(1)>x</button>hello</form>",
        "<base href=\"javascript:alert(1)//\">hello",
        "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">hello",
        "<pre>\n\n  hello\n</pre>", "<textarea></textarea><select><option>x</select>hello",
    ]

    static let encodings = [
        "<meta charset=utf-7>+ADw-script+AD4-alert(1)+ADw-/script+AD4-hello",
        "<meta charset=iso-2022-jp>\u{1b}$B<script>alert(1)</script>hello",
        "\u{202e}olleh <script>alert(1)</script>", "hello\u{1b}[2J\u{1b}]0;owned\u{7}", "hello\u{9b}31m",
        "<b>he\u{2066}ll\u{2069}o\u{200f}</b>", "\u{fe64}script\u{fe65}hello", "\u{ff1c}script\u{ff1e}hello",
        "hello\u{2028}\u{2029}\u{fffe}\u{ffff}\u{e0041}", "%3Cscript%3Ehello", "\\u003cscript\\u003ehello",
    ]

    static let embedded = [
        "<iframe src=javascript:alert(1)>x</iframe>hello",
        "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>hello",
        "<object data=javascript:alert(1)>x</object>hello", "<embed src=//evil.example/x.swf>hello",
        "<applet code=x>x</applet>hello", "<link rel=stylesheet href=//evil.example/x.css>hello",
        "<svg><script>alert(1)</script></svg>hello", "<svg><a xlink:href=javascript:alert(1)>x</a></svg>hello",
        "<math href=javascript:alert(1)>x</math>hello", "<frameset><frame src=javascript:alert(1)></frameset>hello",
        "<audio src=x onerror=alert(1)>x</audio>hello", "<img src=//evil.example/track.gif>hello",
        "<a data-mention=\"u1&quot; onclick=alert(1) x=\">hello</a>", "<a data-mention=\"../../x\">hello</a>",
        "<a data-mention=\"\" href=\"javascript:alert(1)\">hello</a>",
        """
        <!DOCTYPE html [<!ENTITY a "hahahahaha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
        <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]><p>hello &d;</p>
        """,
        "<!DOCTYPE x [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><p>hello &f;</p>",
    ]
}
