import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { extractCode, readStoredCode, storeCode } from './stored-code.ts'

interface FragmentCode {
  /** Empty if there is none. */
  code: string
  /** Uses the code in pasted text. An empty text means no code. */
  setCode: (pasted: string) => void
  /** Deletes the stored copy of a used code, which no longer opens anything. */
  deleteStored: () => void
}

/**
 * The one-time code of a setup, invitation or reset link, from the URL fragment, which browsers do not send to servers.
 * This hook also removes it from the address bar, so that it does not appear in screenshots, and stores it for a reload
 * of the page.
 */
export function useUrlFragmentCode(): FragmentCode {
  const hash = useLocation({ select: (location) => location.hash })
  const pathname = useLocation({ select: (location) => location.pathname })
  const [code, setCode] = useState(() => hash || readStoredCode(pathname, window.sessionStorage))
  // Opening a second link in the same tab changes only the fragment and does not reload the page.
  if (hash && hash !== code) setCode(hash)
  useEffect(() => {
    if (!hash) return
    storeCode(pathname, hash, window.sessionStorage)
    window.history.replaceState(
      window.history.state,
      '',
      window.location.pathname + window.location.search,
    )
  }, [hash, pathname])
  return {
    code,
    setCode: (pasted) => {
      const next = extractCode(pasted)
      storeCode(pathname, next, window.sessionStorage)
      setCode(next)
    },
    deleteStored: () => storeCode(pathname, '', window.sessionStorage),
  }
}
