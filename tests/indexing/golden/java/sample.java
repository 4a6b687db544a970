package line.ferry;

import java.util.List;
import static java.lang.Math.max;
import line.harbour.*;

/**
 * A ferry. It floats.
 */
@Entity
@Table(name = "ferry")
public class Ferry<T extends Car> extends Ship implements Floating {
    public static final int MAX_CARS = 48;
    private int deck, row;

    @Inject
    protected Harbour harbour;

    static {
        System.loadLibrary("class Fake {}");
    }

    public Ferry(int deck) {
        this.deck = deck;
    }

    // Loads one car.
    @Override
    public void load(T car) throws FullException {
        int local = 1;
        Runnable later = () -> unload();
        if (local > 0) {
            unload();
        }
    }

    private <U> List<U> unload() {
        return null;
    }

    /* void commentedOut() {} */

    interface Floating {
        int DEPTH = 3;

        void sink();

        default boolean dry() {
            return true;
        }
    }

    public enum Size {
        SMALL,
        LARGE(2) {
            int metres() {
                return 2;
            }
        };

        int metres() {
            return 1;
        }
    }
}

record Ticket(String name, int price) {
    Ticket {
        if (price < 0) throw new IllegalArgumentException();
    }
}

@interface Marked {
    int value() default 1;
}

class Torn {
    void broken( {
        int x = ;
    }

    void after() {
    }
}
