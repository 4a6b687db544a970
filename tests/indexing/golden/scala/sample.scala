package harbour
package berths

import harbour.tides.TideTable
import harbour.tides.{Level => TideLevel, Wave}
import scala.collection.mutable._

/** Everything about quays. Second sentence. */
package object berths {
  val SafetyMargin = 0.5
  type BerthId = String
}

/**
 * Something that can be moored.
 *
 * @tparam R the rope
 */
sealed trait Moorable[R] {
  type Rope
  val name: String
  def moor(at: Berth): Boolean
  protected def secret: Int = 1
}

// Reads like a chart line.
@SerialVersionUID(1L)
case class Berth(id: String, depth: Double = 4.0)(implicit table: TideTable)
    extends Ordered[Berth]
    with Moorable[Int] {

  private val log = "class NotHere { def ghost() = 1 }"
  var length: Int = 0
  lazy val (low, high) = (1, 2)

  def this(line: String) = this(line, 1.0)

  override def compare(that: Berth): Int = {
    def inner(step: Int): Int = step + 1
    inner(depth.compare(that.depth))
  }

  /** Tightens one rope! Others stay. */
  @deprecated("use pull", "1.2")
  private[berths] def tighten(rope: Int): Unit =
    rope match {
      case 0 => ()
      case _ => println("""
        def notAFunction = 1
      """)
    }

  def +(other: Berth): Berth = this

  class Mooring(val ropes: Int) {
    def add(n: Int): Int = ropes + n
  }
}

object Berth {
  implicit val order: Ordering[Berth] = Ordering.by(_.depth)

  def parse(line: String): Berth = new Berth(line)
}

/* def commentedOut = 2
 /* nested class AlsoCommentedOut */
 */

abstract class Place {
  def later(n: Int): Unit
}

object Broken {
  def before = 1
  def broken(a: Int) = {
    val x = = 3
  }
}

/** Picks the deepest. */
final class Picker private (private val berths: List[Berth]) {
  def deepest: Option[Berth] = berths.sorted.lastOption
}

enum Tide(val factor: Double):
  case Low extends Tide(0.2)
  case High, Spring

  def label: String = toString.toLowerCase

given berthOrdering: Ordering[Berth] with
  def compare(a: Berth, b: Berth): Int = 0

extension (berth: Berth)
  def isSafe: Boolean = berth.depth > 0.5

def topLevel(name: String): Unit =
  println(name)
