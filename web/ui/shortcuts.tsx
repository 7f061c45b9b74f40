import { Button, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { SearchIcon } from './icons.tsx'
import { usePages } from './menu-pages.tsx'
import { useKeys } from './use-keys.ts'

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }))
const KeyDialog = lazy(async () => ({
  default: (await import('../palette/key-dialog.tsx')).KeyDialog,
}))
const NewTokenDialog = lazy(async () => ({
  default: (await import('../account/new-token-dialog.tsx')).NewTokenDialog,
}))

type Open = 'palette' | 'keys' | 'token' | null

/** The keys that work on every page, and the button for those who do not know them. */
export function Shortcuts() {
  const navigate = useNavigate()
  const pages = usePages()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const closeOne = (one: Open) => () => setOpen((now) => (now === one ? null : now))
  // In fields too: it has a modifier, so nobody types it.
  useHotkeys([['mod+K', () => setOpen('palette')]], [], true)
  useKeys({
    ...Object.fromEntries(pages.map(({ keys, to }) => [keys, () => void navigate({ to })])),
    '?': () => setOpen('keys'),
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        ml="auto"
        leftSection={<SearchIcon />}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen('palette')}
      >
        Search <VisuallyHidden>or go to</VisuallyHidden>
      </Button>
      <Button
        variant="default"
        size="xs"
        aria-label="Keyboard keys"
        onClick={() => setOpen('keys')}
      >
        ?
      </Button>
      <Suspense>
        {open === 'palette' && (
          <Palette
            onClose={closeOne('palette')}
            onNewToken={() => setOpen('token')}
            onKeys={() => setOpen('keys')}
          />
        )}
        {open === 'keys' && <KeyDialog onClose={close} />}
        {open === 'token' && <NewTokenDialog onClose={close} />}
      </Suspense>
    </>
  )
}
