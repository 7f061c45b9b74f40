import type { MantineColorScheme } from '@mantine/core'
import { Card, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Layout of the pages for signed-out users: a single centered card. */
export function SignedOutLayout() {
  return (
    <CenteredCardPage>
      <Outlet />
    </CenteredCardPage>
  )
}

export function CenteredCardPage({ children }: { children: ReactNode }) {
  return (
    <div className="centered-page">
      <SkipLink />
      <header>
        <BrandLogoAndName />
      </header>
      <Card component="main" id="main" tabIndex={-1} withBorder padding="xl" radius="xl">
        {children}
      </Card>
      <footer>
        <ThemeSwitch />
      </footer>
    </div>
  )
}

/** The logo: three bars of a voice, which also form the letter H. Same drawing as favicon.svg. */
function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 32 32" className="mark">
      <rect className="mark-tile" width="32" height="32" rx="9" />
      <rect className="mark-bar" x="8" y="7" width="4" height="18" rx="2" />
      <rect className="mark-bar" x="20" y="7" width="4" height="18" rx="2" />
      <rect className="mark-voice" x="14" y="13" width="4" height="6" rx="2" />
    </svg>
  )
}

export function BrandLogoAndName() {
  return (
    <span className="brand">
      <Mark />
      Hansard
    </span>
  )
}

/** Moves the focus by script, because the URL fragment is used for setup and invitation codes. */
export function SkipLink() {
  return (
    <a
      className="skip-link"
      href="#main"
      onClick={(event) => {
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
    >
      Skip to content
    </a>
  )
}

const CHOICES: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Theme"
      size="xs"
      fullWidth
      data={CHOICES}
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
    />
  )
}
