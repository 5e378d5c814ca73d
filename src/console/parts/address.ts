import { useSearchParams } from 'wouter-preact';

/** A filter that stands in the address, so that it can be shared and back and reload work. */
export function useFilter(name: string, usual = ''): readonly [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  return [
    parameters.get(name) ?? usual,
    (value) => {
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === usual) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      );
    },
  ];
}
