#Requires -Version 5.1
using module .\Tides.psm1
using namespace System.Collections.Generic
Import-Module -Name HarbourCharts
. "$PSScriptRoot\lib\charts.ps1"

<#
.SYNOPSIS
Finds the depth of a berth. Fails for unknown ones.
.PARAMETER Name
Painted on the quay.
#>
function Get-BerthDepth {
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [string]$Name
    )
    begin { $seen = @{} }
    process {
        function Invoke-Inner($x) { $x + 1 }
        Invoke-Inner $seen.Count
    }
}

# Moors a ship.
function script:Set-Mooring([string]$Ship, [int]$Ropes = 4) {
    $text = @"
function NotAFunction {
}
"@
    Write-Output "$text function Ghost { }"
}

# function Commented-Out { }
<# function Also-CommentedOut { } #>


filter Select-Deep {
    if ($_.Depth -gt 10) { $_ }
}

enum Tide {
    Low
    High = 2
}

class Berth : Place {
    [string]$Id
    hidden [int]$Depth = 4
    static [int]$Count

    Berth([string]$id) {
        $this.Id = $id
    }

    # Reads the ropes.
    [int] Moor([string]$ship) {
        return 1
    }

    static [Berth] Parse([string]$line) {
        return [Berth]::new($line)
    }
}

function Test-Broken {
    if ($x -eq ) { 1 }
    $y = = 3
}

workflow Start-Night {
    Get-BerthDepth -Name north
}

function Get-Deepest { param($Berths) $Berths | Sort-Object Depth | Select-Object -Last 1 }
