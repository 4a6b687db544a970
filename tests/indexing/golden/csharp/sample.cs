using System;
using static System.Math;
using Alias = Line.Harbour.Quay;
global using System.Linq;

namespace Line.Ferry
{
    /// <summary>A ferry. It floats.</summary>
    [Serializable]
    public class Ferry<T> : Ship, IFloating where T : Car
    {
        public const int MaxCars = 48;
        private static readonly object Lock = new();
        private int _deck, _row;

        public int Size { get; set; }
        public int Half => Size / 2;
        public event EventHandler Loaded;

        public Ferry(int deck) : base(deck)
        {
            _deck = deck;
        }

        // Loads one.
        [Obsolete("class Fake {}")]
        public async Task Load(T car)
        {
            var local = 1;
            int Twice(int n) => n * 2;
            if (local > 0)
            {
                Unload();
            }
        }

        private void Unload() { }

        void IFloating.Sink() { }

        public static Ferry<T> operator +(Ferry<T> a, Ferry<T> b) => a;

        /* void CommentedOut() {} */

        protected class Nested
        {
            internal void Deep() { }
        }
    }

    public interface IFloating
    {
        void Sink();
        int Depth { get; }
    }

    public enum Size
    {
        Small,
        Large = 2,
    }

    public record Ticket(string Name, int Price);

    internal struct Point
    {
        public int X;
    }

    public delegate void Handler(object sender);

    class Torn
    {
        void Broken(
        {
            int x = ;
        }

        void After() { }
    }
}

public class Pier
#if HAVE_ASYNC
    : IAsyncDisposable
#endif
{
    public void Moor() { }
}
