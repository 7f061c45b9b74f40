import { useEffect } from 'react'
import { lineNumberOf } from './line-of-element.ts'
import type { LineNotesStore } from './line-notes-store.ts'

/**
 * Makes lines active that have the pointer or the focus, or were tapped. The listeners are on the document, so that ten
 * thousand lines need none of their own.
 */
export function useActiveLine(notes: LineNotesStore): void {
  useEffect(() => {
    const focused = () => lineNumberOf(document.activeElement)
    // Lines also scroll under a resting pointer. The line with the keyboard focus keeps its buttons, because one of
    // them may have the focus.
    const keyboardLine = () =>
      document.activeElement?.matches(':focus-visible') ? focused() : null
    const onPointerOver = ({ pointerType, target }: PointerEvent) => {
      // A finger has no position before it taps.
      if (pointerType !== 'touch')
        notes.setActiveLines([lineNumberOf(target) ?? focused(), keyboardLine()])
    }
    const onClick = ({ target }: MouseEvent) =>
      notes.setActiveLines([lineNumberOf(target), keyboardLine()])
    const onFocusIn = ({ target }: FocusEvent) => {
      const line = lineNumberOf(target)
      if (line !== null) notes.setActiveLines([line])
    }
    document.addEventListener('pointerover', onPointerOver)
    document.addEventListener('click', onClick)
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('keydown', moveFocusBetweenLines)
    return () => {
      document.removeEventListener('pointerover', onPointerOver)
      document.removeEventListener('click', onClick)
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('keydown', moveFocusBetweenLines)
    }
  }, [notes])
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** The arrow keys move the focus from a line's time to the time of the next or previous line. */
function moveFocusBetweenLines(event: KeyboardEvent): void {
  const step = STEPS[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.matches('.transcript .line-time[href]')) return
  const times = [...document.querySelectorAll<HTMLElement>('.transcript .line-time[href]')]
  const next = times[times.indexOf(target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
