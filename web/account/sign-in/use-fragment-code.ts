import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * The one-time code of a setup or invitation link. It is in the URL fragment, which browsers do not send to
 * servers. This hook also removes it from the address bar, so that it does not appear in screenshots.
 */
export function useUrlFragmentCode(): [string, (pasted: string) => void] {
  const hash = useLocation({ select: (location) => location.hash })
  const [code, setCode] = useState(hash)
  // Opening a second link in the same tab changes only the fragment and does not reload the page.
  if (hash && hash !== code) setCode(hash)
  useEffect(() => {
    if (!hash) return
    const { pathname, search } = window.location
    window.history.replaceState(window.history.state, '', pathname + search)
  }, [hash])
  return [code, (pasted) => setCode(extractCode(pasted))]
}

/** Extracts the one-time code from pasted text: a whole setup or invitation link, or only the code. */
function extractCode(pasted: string): string {
  return pasted.slice(pasted.lastIndexOf('#') + 1).trim()
}
