import { useSyncExternalStore } from 'react'

const STORED_AS = 'hansard-keys'
const listeners = new Set<() => void>()

/** Whether keys without a modifier do something. Remembered by this browser; on unless somebody turned it off. */
export function areKeysOn(): boolean {
  return window.localStorage.getItem(STORED_AS) !== 'off'
}

/** Speech input and a slip of the hand press letters that nobody meant: WCAG 2.1.4. */
export function useKeySwitch(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, areKeysOn)
  return [isOn, setKeys]
}

function setKeys(isOn: boolean): void {
  if (isOn) window.localStorage.removeItem(STORED_AS)
  else window.localStorage.setItem(STORED_AS, 'off')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
