import { ActionIcon, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { copyText } from '../copy/copy-text.ts'
import { CheckIcon, CopyIcon, DotsIcon } from '../icons.tsx'

export interface RowCopyMenuProps {
  /** Names the row for screen readers. */
  rowName: string
  id: string
  /** The API path that reads this row, without `/api/v1`. */
  curlApiPath?: string
}

/** Copies a row's id, and the curl command that reads the row through the API. */
export function RowCopyMenu({ rowName, id, curlApiPath }: RowCopyMenuProps) {
  const [copied, setCopied] = useState('')
  const [hasFailed, setFailed] = useState(false)
  async function copy(label: string, text: string, near: HTMLElement): Promise<void> {
    const isCopied = await copyText(text, near)
    setFailed(!isCopied)
    setCopied(isCopied ? label : '')
  }
  const copies = [
    ...(curlApiPath === undefined ? [] : [{ label: 'Copy as curl', text: toCurl(curlApiPath) }]),
    { label: 'Copy ID', text: id },
  ]
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} onClose={() => setCopied('')}>
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={`More about ${rowName}`}>
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
        {hasFailed && (
          <Text role="alert" size="sm" p="xs" maw={240} c="var(--mantine-color-error)">
            Your browser blocked copying.
          </Text>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The command reads the API key from the environment, so that copying it exposes no secret. */
function toCurl(path: string): string {
  const url = `${window.location.origin}/api/v1${path}`.replaceAll("'", '%27')
  return `curl -H "X-API-Key: $HANSARD_API_KEY" '${url}'`
}
