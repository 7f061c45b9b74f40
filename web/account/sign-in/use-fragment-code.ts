import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * The one-time code of a setup or invitation link. It stands behind the `#`, so no server log has it; here it
 * also leaves the address bar, so that no screenshot has it.
 */
export function useFragmentCode(): [string, (pasted: string) => void] {
  const hash = useLocation({ select: (location) => location.hash })
  const [code, setCode] = useState(hash)
  // A second link opened in the same tab changes nothing but the fragment.
  if (hash && hash !== code) setCode(hash)
  useEffect(() => {
    if (!hash) return
    const { pathname, search } = window.location
    window.history.replaceState(window.history.state, '', pathname + search)
  }, [hash])
  return [code, (pasted) => setCode(extractCode(pasted))]
}

/** Accepts the whole link or the code alone. */
function extractCode(pasted: string): string {
  return pasted.slice(pasted.lastIndexOf('#') + 1).trim()
}
