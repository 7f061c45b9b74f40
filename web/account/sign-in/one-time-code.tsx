import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { ErrorBox, LoadingIndicator } from '../../ui/feedback/feedback.tsx'
import { Form, readFormText, TextField, useAction } from '../../ui/forms/form.tsx'
import { extractCode, readStoredCode, storeCode } from './stored-code.ts'

interface UrlFragmentCode {
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
export function useUrlFragmentCode(): UrlFragmentCode {
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

interface CodeFormProps {
  label: string
  description: string
  onCode: (pasted: string) => void
}

export function OneTimeCodeForm({ label, description, onCode }: CodeFormProps) {
  const action = useAction(async (values: FormData) => onCode(readFormText(values, 'code')))
  return (
    <Form action={action}>
      <TextField name="code" label={label} description={description} autoComplete="off" autoFocus />
      <Button type="submit">Continue</Button>
    </Form>
  )
}

interface CheckedCodeProps<Found> {
  /** Finds what the code opens. Called once. */
  check: () => Promise<Found>
  onOther: () => void
  children: (found: Found) => ReactNode
}

/** Shows the form of a link after checking its code. Not a query, whose cache would store the code as its key. */
export function CheckedCode<Found>({ check, onOther, children }: CheckedCodeProps<Found>) {
  const [found, setFound] = useState<Found | null>(null)
  const [error, setError] = useState<unknown>(null)
  const checkOnce = useEffectEvent(() => check().then(setFound).catch(setError))
  useEffect(() => void checkOnce(), [])
  if (found) return children(found)
  if (!error) return <LoadingIndicator label="Checking the link" />
  return (
    <>
      <ErrorBox error={error} />
      <Button variant="default" onClick={onOther}>
        Use another link
      </Button>
    </>
  )
}
