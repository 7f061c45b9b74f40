import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const DEBOUNCE_MS = 200

/**
 * A field whose value also stands in the address. What is typed goes there after a pause, and what comes there
 * by itself goes into the field, but never over what is being typed.
 */
export function useDebouncedField(
  given: string,
  onPause: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(given)
  const [sent, setSent] = useState(given)
  const [seen, setSeen] = useState(given)
  if (given !== seen) {
    setSeen(given)
    if (given !== sent) setText(given)
    setSent(given)
  }
  const send = useDebouncedCallback((typed: string) => {
    setSent(typed.trim())
    onPause(typed.trim())
  }, DEBOUNCE_MS)
  return [
    text,
    (typed) => {
      setText(typed)
      send(typed)
    },
  ]
}
