import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

/** Whether a dialog of the frame is open: Back, or a link in it, closes it with the page that it was opened on. */
export function useOpenHere(): readonly [boolean, (isOpen: boolean) => void] {
  const [place] = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
  }, [place]);
  return [isOpen, setOpen];
}
