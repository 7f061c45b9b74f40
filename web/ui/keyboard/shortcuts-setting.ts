import { useSyncExternalStore } from 'react'

const STORAGE_KEY = 'hansard-keys'
const listeners = new Set<() => void>()

/** True if single-key shortcuts are on. Stored in localStorage, and on by default. */
export function areSingleKeyShortcutsEnabled(): boolean {
  return window.localStorage.getItem(STORAGE_KEY) !== 'off'
}

/** Single-key shortcuts can be turned off, because speech input triggers them by accident (WCAG 2.1.4). */
export function useSingleKeyShortcutsSetting(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, areSingleKeyShortcutsEnabled)
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
