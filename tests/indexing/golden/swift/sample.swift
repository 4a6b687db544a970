import Foundation
import struct Tides.Level
@testable import HarbourCore

/// Metres of water kept under every keel.
public let safetyMargin = 0.5
private var log: [String] = []

typealias BerthID = String

/// Something that can be moored. Ships and pontoons are.
public protocol Moorable: AnyObject {
    associatedtype Rope
    var name: String { get }
    init(name: String)
    func moor(at berth: Berth) -> Bool
}

/**
 A place where one ship can lie.

 Built from the chart, never by hand.
 */
public final class Berth: NSObject, Comparable {
    public let id: BerthID
    private var depth = 4.0
    static let none = "class NotHere { func ghost() {} }"

    /// Length of the quay in metres.
    var length: Int {
        get { 12 }
        set { depth = Double(newValue) }
    }

    init(id: BerthID, depth: Double = 4) {
        self.id = id
        self.depth = depth
    }

    deinit {
        log.removeAll()
    }

    @discardableResult
    public func moor(_ ship: Moorable, ropes: Int = 4) -> Bool {
        func tighten(_ rope: Int) -> Int { rope + 1 }
        let text = """
        func notAFunction() {}
        """
        return tighten(ropes) > text.count
    }

    public static func < (lhs: Berth, rhs: Berth) -> Bool {
        lhs.depth < rhs.depth
    }

    subscript(index: Int) -> Character {
        Array(id)[index]
    }

    fileprivate class func reset() {}

    struct Mooring {
        var ropes: Int
        mutating func add(_ n: Int) { ropes += n }
    }
}

// func commentedOut() {}
/* class AlsoCommentedOut {} */

enum Tide: String {
    case low
    case high = "high", spring

    indirect case mixed(Tide, Tide)

    func label() -> String { rawValue }
}

extension Berth: Moorable {
    func release() {}
}

func broken(a: Int) -> Int {
    let x = = 3
    return a.
}

/// Deepest berth first! Ties keep their order.
@available(macOS 12, *)
@MainActor
public func deepest<T: Moorable>(
    of berths: [Berth],
    for vessel: T
) async throws -> Berth? where T.Rope == Int {
    berths.sorted().last
}

actor Registry {
    private var all: [Berth] = []
    func register(_ berth: Berth) { all.append(berth) }
}

infix operator <~>: ComparisonPrecedence
