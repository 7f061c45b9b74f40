import { useSyncExternalStore } from 'react'

const STORAGE_KEY = 'hansard-keys'
const listeners = new Set<() => void>()

/** Whether keys without a modifier do something. Remembered by this browser; on unless somebody turned it off. */
export function areShortcutsEnabled(): boolean {
  return window.localStorage.getItem(STORAGE_KEY) !== 'off'
}

/** Speech input and a slip of the hand press letters that nobody meant: WCAG 2.1.4. */
export function useShortcutsSetting(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, areShortcutsEnabled)
  return [isOn, setShortcutsEnabled]
}

function setShortcutsEnabled(isOn: boolean): void {
  if (isOn) window.localStorage.removeItem(STORAGE_KEY)
  else window.localStorage.setItem(STORAGE_KEY, 'off')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
