"""That scripts/api notices each kind of break, and takes additions that are noted for what they are."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("api", str(ROOT / "scripts/api"))
api = importlib.util.module_from_spec(importlib.util.spec_from_loader("api", LOADER))
LOADER.exec_module(api)

LIBRARY = """
public protocol Source { func fetch(_ key: String) -> Int }
public struct Page: Sendable {
    public var key: String
    public init(key: String, size: Int = 30) { self.key = key }
    public func next() -> Page? { nil }
}
public enum Order { case first, last }
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum Kind { case hit, miss }
public struct Box<T> { public init() {} }
extension Box: Equatable where T: Equatable { public static func == (a: Self, b: Self) -> Bool { true } }
open class Base { public init() {}; open func run() {} }
func notPublic() {}
package func notPublicEither() {}
"""


def knows(attribute):
    """Whether this compiler has an attribute."""
    probe = f"#if !hasAttribute({attribute})\n#error(\"unknown\")\n#endif\n"
    return subprocess.run(["swiftc", "-typecheck", "-"], input=probe, text=True, capture_output=True).returncode == 0


def api_of(text):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        source, modules, graphs = work / "Library/Library.swift", work / "modules", work / "graphs"
        source.parent.mkdir()
        modules.mkdir()
        source.write_text(text)
        api.emit("Library", [source], modules, graphs, ["-package-name", "library"])
        found = api.symbols(graphs / "Library")
        # As it is kept.
        return api.parsed(api.rendered("Library", found, "6.3"))


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.old = api_of(LIBRARY)

    def changed(self, before, after):
        self.assertIn(before, LIBRARY)
        return api.changes(self.old, api_of(LIBRARY.replace(before, after)))

    def assertBreaks(self, before, after, what):
        found = self.changed(before, after)
        self.assertTrue(any(is_breaking and what in text for is_breaking, text in found), found)

    def assertAdds(self, before, after, what):
        found = self.changed(before, after)
        self.assertTrue(any(what in text for _, text in found), found)
        self.assertFalse(any(is_breaking for is_breaking, _ in found), found)

    def test_nothing_changed(self):
        self.assertEqual(self.changed("func notPublic() {}", "func notPublicAtAll() {}"), [])
        self.assertEqual(self.changed("package func notPublicEither() {}", ""), [])

    def test_removed_declaration(self):
        self.assertBreaks("public func next() -> Page? { nil }", "", "removed: Page.next()")

    def test_no_longer_public(self):
        self.assertBreaks("public func next()", "func next()", "removed: Page.next()")

    def test_changed_result(self):
        self.assertBreaks("next() -> Page? { nil }", "next() throws -> Page? { nil }", "changed: Page.next()")

    def test_renamed_parameter(self):
        self.assertBreaks("size: Int = 30", "count: Int = 30", "removed: Page.init(key:size:)")

    def test_changed_closure_that_is_nonisolated(self):
        def init(result):
            return api_of(LIBRARY + f"""
                extension Page {{
                    public init(
                        brace: String = "{{",
                        load: nonisolated(nonsending) @escaping @Sendable (
                            _ key: String
                        ) async throws -> {result}
                    ) {{ self.init(key: brace) }}
                }}""")

        text = 'init(brace: String = "{", load: nonisolated(nonsending) @escaping @Sendable (_ key: String) async throws -> %s)'
        self.assertEqual(
            [what for _, what in api.changes(init("Int"), init("Page"))],
            [f"{verb}: Page.init(brace:load:): {text % result}" for verb, result in (("changed", "Int"), ("changed to", "Page"))])

    def test_default_taken_away(self):
        self.assertBreaks("size: Int = 30", "size: Int", "changed: Page.init(key:size:)")

    def test_new_requirement(self):
        self.assertBreaks("-> Int }", "-> Int; func close() }", "added: Source.close(): func close(), a requirement")

    def test_new_associated_type(self):
        self.assertBreaks("-> Int }", "-> Int; associatedtype T }", "added: Source.T")

    def test_new_requirement_with_a_default(self):
        self.assertAdds(
            "-> Int }", "-> Int; func close() }\nextension Source { public func close() {} }", "added: Source.close()")

    def test_default_of_a_requirement_gone(self):
        with_default = LIBRARY + "extension Source { public func fetch(_ key: String) -> Int { 0 } }"
        found = api.changes(api_of(with_default), self.old)
        self.assertTrue(any(is_breaking for is_breaking, _ in found), found)

    def test_new_base_protocol(self):
        self.assertBreaks("protocol Source {", "protocol Source: Sendable {", "Source: is a Swift.Sendable")

    def test_new_case(self):
        self.assertBreaks("case first, last", "case first, last, middle", "added: Order.middle")

    @unittest.skipUnless(knows("nonexhaustive"), "without the attribute it is an enum like others")
    def test_new_case_of_an_enum_that_may_grow(self):
        self.assertAdds("case hit, miss", "case hit, miss, stale", "added: Kind.stale")

    def test_conformance_gone(self):
        self.assertBreaks("struct Page: Sendable", "struct Page", "removed: Page: is a Swift.Sendable")

    def test_conformance_with_more_conditions(self):
        self.assertBreaks(
            "where T: Equatable {", "where T: Hashable {", "removed: Box: is a Swift.Equatable where T : Equatable")

    def test_no_longer_open(self):
        self.assertBreaks("open func run()", "public func run()", "changed: Base.run()")

    def test_deprecated(self):
        self.assertAdds(
            "public func next()", '@available(*, deprecated, message: "go") public func next()', "now deprecated")

    def test_new_function_and_type(self):
        self.assertAdds("public func next()", "public func last() {}\npublic func next()", "added: Page.last()")
        self.assertAdds("public enum Order", "public struct Other {}\npublic enum Order", "added: Other: struct Other")

    def test_kind_of_version(self):
        addition = api_of(LIBRARY + "public struct Other {}")

        def kind(old, new):
            with contextlib.redirect_stdout(io.StringIO()):
                return api.report(api.compared(old, new))

        self.assertEqual(kind({"L": self.old}, {"L": self.old}), "patch")
        self.assertEqual(kind({"L": self.old}, {"L": addition}), "minor")
        self.assertEqual(kind({"L": addition}, {"L": self.old}), "major")
        self.assertEqual(kind({"L": self.old}, {}), "major")

    def test_gone_from_a_platform(self):
        both = {("A", "struct A"): set()}
        linux = {("A", "struct A"): {api.ON_LINUX}}
        self.assertTrue(all(is_breaking for is_breaking, _ in api.changes(both, linux)))
        self.assertFalse(any(is_breaking for is_breaking, _ in api.changes(linux, both)))


if __name__ == "__main__":
    unittest.main()
