defmodule Harbour.Berth do
  @moduledoc """
  A place where one ship can lie. Built from the chart.
  """

  use GenServer
  import Ecto.Query, only: [from: 2]
  alias Harbour.Tides.{Level, Table}
  alias Harbour.Ship, as: Vessel
  require Logger

  @behaviour Harbour.Place
  @max_depth 12

  @type id :: String.t()
  @typep secret :: integer()
  @opaque token :: binary()

  defstruct [:id, depth: 4]

  @callback moor(id, Vessel.t()) :: :ok | {:error, term}

  @doc "Starts one berth. It stays up."
  @spec start_link(keyword) :: GenServer.on_start()
  def start_link(opts) do
    GenServer.start_link(__MODULE__, opts, name: __MODULE__)
  end

  @doc """
  Depth left under the keel.

  ## Examples

      def ghost, do: 1
  """
  def depth_left(%__MODULE__{depth: depth}, draught) when draught > 0 do
    depth - draught
  end

  def depth_left(_berth, _draught), do: 0

  def free?(berth), do: is_nil(berth.ship)

  def berth ~> ship, do: {berth, ship}

  # Never called from outside.
  defp secret(level) do
    text = """
    def not_a_function do
    end
    """

    Enum.map(level, fn x -> x + 1 end) ++ [text]
  end

  defmacro moored(do: block) do
    quote do
      unquote(block)
    end
  end

  defmacrop hidden_macro(x), do: x

  defguard is_deep(depth) when depth > 10

  defdelegate table(name), to: Table, as: :find

  @impl true
  def init(opts), do: {:ok, opts}

  def no_args, do: :ok

  def bare

  defmodule Mooring do
    @moduledoc false
    defexception message: "rope broke"

    def tighten(ropes), do: ropes
  end

  # def commented_out, do: 1
end

defprotocol Harbour.Moorable do
  @doc "Ropes needed."
  def ropes(thing)
end

defimpl Harbour.Moorable, for: Harbour.Berth do
  def ropes(_berth), do: 4
end

defmodule Harbour.Broken do
  def before, do: 1

  def broken(a) do
    x = [1, 2
  end
end

defmodule Harbour.After do
  @doc "Still found!"
  def still_here(x), do: x
end
