<?php

declare(strict_types=1);

namespace Harbour\Berths;

use Harbour\Tides\TideTable;
use Harbour\Tides\Level as TideLevel;
use Harbour\Ships\{Pilot, Tug as Tugboat};
use function Harbour\Tides\height;
use const Harbour\Tides\MAX_LEVEL;

require __DIR__ . '/bootstrap.php';
require_once 'lib/charts.php';
include('views/quay.php');

const SAFETY_MARGIN = 0.5;
define('HARBOUR_NAME', 'Kattehavn');

/**
 * Something that can be moored. Implemented by ships and pontoons.
 */
interface Moorable
{
    public const ROPES = 4;

    public function moor(Berth $berth): bool;
}

trait Counts
{
    private int $count = 0;

    /** Adds one. */
    protected function bump(): void
    {
        $this->count++;
    }
}

/**
 * A place where one ship can lie.
 *
 * @package Harbour
 */
#[Entity(table: 'berths')]
final class Berth extends Place implements \Countable, Moorable
{
    use Counts;

    const NONE = 'none';
    private const SECRET = 'x', OTHER = 'y';

    public ?string $ship = null, $flag = null;
    protected static array $cache = [];

    public function __construct(
        private readonly string $id,
        public int $depth = 4,
    ) {
        $this->note = 'function ghost() {}';
    }

    // Number of ships that fit.
    public function count(): int
    {
        return $this->count;
    }

    public static function parse(string $line): static
    {
        $text = <<<TXT
        class NotAClass {}
        function notAFunction() {}
        TXT;
        return new static($text);
    }

    #[Deprecated]
    private function secret(): void
    {
        function innerHelper() { return 1; }
        $f = function ($x) { return $x; };
        $h = new class { public function hiddenInAnonymous() {} };
    }

    abstract function later();
}

enum Tide: string
{
    case Low = 'low';
    case High = 'high';

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

function broken(array $a)
{
    $x = = 3;
    $a->(;
}

# Picks the deepest berth. Ties keep their order.
function deepest(Berth ...$berths): ?Berth
{
    return max($berths);
}

/* function commentedOut() {} */

$handler = fn (Berth $b) => $b->count();
