import { ActionIcon, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { copyText } from '../copy/copy-text.ts'
import { CheckIcon, CopyIcon, DotsIcon } from '../icons.tsx'

export interface RowMenuProps {
  /** Which row is meant. */
  name: string
  id: string
  /** Where a program reads it: what stands behind `/api/v1`. */
  path?: string
}

/** What every row of a table has: its id, and the call that reads it. */
export function RowMenu({ name, id, path }: RowMenuProps) {
  const [copied, setCopied] = useState('')
  const [isRefused, setRefused] = useState(false)
  async function copy(label: string, text: string, near: HTMLElement): Promise<void> {
    const isCopied = await copyText(text, near)
    setRefused(!isCopied)
    setCopied(isCopied ? label : '')
  }
  const copies = [
    ...(path === undefined ? [] : [{ label: 'Copy as curl', text: toCurl(path) }]),
    { label: 'Copy id', text: id },
  ]
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} onClose={() => setCopied('')}>
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={`More about ${name}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {copies.map(({ label, text }) => (
          <Menu.Item
            key={label}
            closeMenuOnClick={false}
            leftSection={copied === label ? <CheckIcon /> : <CopyIcon />}
            onClick={({ currentTarget }) => void copy(label, text, currentTarget)}
          >
            {copied === label ? label.replace('Copy', 'Copied') : label}
          </Menu.Item>
        ))}
        {isRefused && (
          <Text role="alert" size="sm" p="xs" maw={240} c="var(--mantine-color-error)">
            The browser refused to copy.
          </Text>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The key stays in the environment of whoever runs it. */
function toCurl(path: string): string {
  const url = `${window.location.origin}/api/v1${path}`.replaceAll("'", '%27')
  return `curl -H "X-API-Key: $HANSARD_API_KEY" '${url}'`
}
