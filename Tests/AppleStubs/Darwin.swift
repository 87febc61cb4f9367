// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, DontRepeatTypeInStaticProperties, AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores

@_exported import Glibc

public struct os_unfair_lock_s: Sendable {
    private var state: UInt32 = 0

    public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s

public func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {}

public func os_unfair_lock_trylock(_ lock: UnsafeMutablePointer<os_unfair_lock>) -> Bool { true }

public func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {}

public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 { 0 }

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }

public var F_SETPROTECTIONCLASS: Int32 { 64 }

public func pthread_threadid_np(_ thread: pthread_t?, _ id: UnsafeMutablePointer<UInt64>?) -> Int32 { 0 }
