import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Link as Way } from 'wouter-preact';

/** First words of the addresses that whoever is signed in may see; undefined where nobody is. */
const Places = createContext<ReadonlySet<string> | undefined>(undefined);

export const AllowedPlaces = Places.Provider;

/** Tells whether an address of the console leads somewhere, and not to a page that says that one may not see it. */
export function useLeads(): (href: string) => boolean {
  const allowed = useContext(Places);
  return (href) => {
    const place = /^\/([^/?]+)/.exec(href)?.[1];
    return place === undefined || allowed === undefined || allowed.has(place);
  };
}

/** A link for who may see where it leads; for others, what it says. */
export function Link({
  href,
  children,
  ...rest
}: {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string | undefined;
}) {
  if (!useLeads()(href)) return <>{children}</>;
  return (
    <Way href={href} {...rest}>
      {children}
    </Way>
  );
}
