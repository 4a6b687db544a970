@file:JvmName("Harbour")

package harbour.berths

import harbour.tides.TideTable
import harbour.tides.Level as TideLevel
import kotlinx.coroutines.flow.*

/** Metres of water kept under every keel. */
const val SAFETY_MARGIN = 0.5

private val log = Logger("berths")

typealias BerthId = String

/**
 * A place where one ship can lie. Built from the chart, never by hand.
 *
 * @property id short name painted on the quay
 */
data class Berth(
    val id: BerthId,
    private val depth: Double,
) : Comparable<Berth> {
    /** Length of the quay in metres. */
    var length: Int = 0
        get() = field
        private set

    init {
        require(depth > 0) { "class NotHere { fun ghost() {} }" }
    }

    // Reads "id;depth".
    constructor(line: String) : this(line.substringBefore(';'), 1.0)

    override fun compareTo(other: Berth): Int = depth.compareTo(other.depth)

    protected fun secret(): Int {
        fun inner(step: Int): Int = step + 1
        return inner(2)
    }

    companion object {
        const val NONE = "none"
        fun parse(line: String): Berth = Berth(line)
    }

    inner class Mooring(val ropes: Int) {
        internal fun tighten() {
            val worker = object : Runnable {
                override fun run() {
                    println("""
                        fun notAFunction() = 1
                    """)
                }
            }
            worker.run()
        }
    }
}

// fun commentedOut() = 2

/* class AlsoCommentedOut */

sealed interface Vessel {
    val name: String

    @Deprecated("use berthAt")
    fun berth(at: Berth): Boolean
}

enum class Tide(val factor: Double) {
    LOW(0.2) {
        override fun label() = "low"
    },

    /** Twice a day. */
    HIGH(1.0);

    abstract fun label(): String
}

object Registry {
    private val all = mutableListOf<Berth>()

    suspend fun register(berth: Berth) {
        all += berth
    }
}

fun broken(a: Int {
    val x = = 3
}

/** Deepest berth first! Ties keep their order. */
@JvmStatic
inline fun <reified T : Vessel> List<Berth>.deepestFor(vessel: T): Berth? =
    sortedDescending().firstOrNull()

internal fun TideLevel.isSafe() = this.metres > SAFETY_MARGIN

annotation class Audited

fun interface Pilot {
    fun guide(berth: Berth)
}
