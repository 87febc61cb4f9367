import Foundation
import Testing

@testable import PaginatorHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a session does unless the app gives it a configuration.
struct StandardConfigurationTests {
    @Test func `a session keeps neither cookies nor credentials, and has up to 64 connections to a host`() {
        let configuration = HTTPSession.standardConfiguration
        #expect(configuration.httpCookieStorage == nil && !configuration.httpShouldSetCookies)
        #expect(configuration.urlCredentialStorage == nil)
        #expect(configuration.httpMaximumConnectionsPerHost == 64)
    }
}
