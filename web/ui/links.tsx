import {
  Anchor,
  Button,
  NavLink,
  type AnchorProps,
  type ButtonProps,
  type NavLinkProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Anchored<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> }

/** Router links in Mantine's styles. */
export const MenuLink = createLink((props: Anchored<NavLinkProps>) => (
  <NavLink component="a" {...props} />
))
export const TextLink = createLink((props: Anchored<AnchorProps>) => <Anchor {...props} />)
export const ButtonLink = createLink((props: Anchored<ButtonProps>) => (
  <Button component="a" {...props} />
))
