import { Card } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BrandLogoAndName } from './brand.tsx'
import { SkipLink } from './skip-link.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

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
