import type { ComponentChildren, HTMLAttributes } from 'preact';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import { Link, useLeads } from './link.js';

type Look = 'main' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends Omit<HTMLAttributes<HTMLButtonElement>, 'icon'> {
  readonly look?: Look;
  readonly icon?: IconName;
  readonly busy?: boolean;
  /** Has nothing to do now, and is still found by keyboard. */
  readonly resting?: boolean;
  readonly type?: 'button' | 'submit';
  /** By which a form tells which of its buttons sent it. */
  readonly name?: string;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

export function Button({
  look = 'plain',
  icon,
  busy = false,
  resting = false,
  type = 'button',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button ${look}`}
      // One that is busy or rests keeps the focus, which a disabled one loses.
      aria-disabled={busy || resting}
      aria-busy={busy}
      onClick={busy || resting ? ignore : onClick}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

const ignore = (event: Event): void => {
  event.preventDefault();
};

/** A button of which only the drawing is seen; its name is read out. */
export function IconButton({
  icon,
  label,
  ...rest
}: { readonly icon: IconName; readonly label: string } & Omit<HTMLAttributes<HTMLButtonElement>, 'icon' | 'label'>) {
  return (
    <button {...rest} type="button" class="button icon-only" aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}

export function LinkButton({
  href,
  look = 'plain',
  icon,
  children,
  ...rest
}: {
  readonly href: string;
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
  readonly 'aria-label'?: string;
}) {
  // There is nothing to say of where one may not go.
  if (!useLeads()(href)) return null;
  return (
    <Link {...rest} href={href} class={`button ${look}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </Link>
  );
}
