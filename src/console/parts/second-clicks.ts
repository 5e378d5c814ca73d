const PRESSED = 'a[href], button, summary, label, input, select, textarea, [role="button"]';

/** A hand that clicks twice does not quite keep its place. */
const MOST_PIXELS = 16;

interface Press {
  readonly on: Element | null;
  readonly x: number;
  readonly y: number;
}

/** A label does what its field does. */
const pressedBy = ({ target }: MouseEvent): Element | null => {
  const pressed = target instanceof Element ? target.closest(PRESSED) : null;
  return pressed instanceof HTMLLabelElement ? (pressed.control ?? pressed) : pressed;
};

/**
 * Whoever clicks twice means one thing. Where the first click was answered before the second, something else may stand there by
 * then, such as the next row or the page that was led to: the second click does nothing to that.
 */
export function guardSecondClicks(): void {
  let first: Press = { on: null, x: 0, y: 0 };
  addEventListener(
    'click',
    (event) => {
      const { clientX: x, clientY: y, detail } = event;
      const on = pressedBy(event);
      // Keys and programs click with a detail of 0.
      if (detail < 2) {
        first = { on, x, y };
        return;
      }
      const isSamePlace = Math.hypot(x - first.x, y - first.y) <= MOST_PIXELS;
      if (!isSamePlace || first.on === null || on === null || on === first.on) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}
