import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const DEBOUNCE_MS = 200

/**
 * A text field that mirrors a URL parameter. Typed text is written to the URL after a pause. A URL change from
 * elsewhere, such as the back button, updates the field but never overwrites text that is being typed.
 */
export function useDebouncedUrlField(
  urlValue: string,
  onPause: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(urlValue)
  const [sent, setSent] = useState(urlValue)
  const [seen, setSeen] = useState(urlValue)
  if (urlValue !== seen) {
    setSeen(urlValue)
    if (urlValue !== sent) setText(urlValue)
    setSent(urlValue)
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
