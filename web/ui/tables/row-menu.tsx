import { ActionIcon, Menu } from '@mantine/core'
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
  const [result, setResult] = useState<{ label: string; isCopied: boolean } | null>(null)
  async function copy(label: string, text: string, near: HTMLElement): Promise<void> {
    setResult({ label, isCopied: await copyText(text, near) })
  }
  const copies = [
    ...(curlApiPath === undefined ? [] : [{ label: 'Copy as curl', text: toCurl(curlApiPath) }]),
    { label: 'Copy ID', text: id },
  ]
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} onClose={() => setResult(null)}>
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={`More about ${rowName}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {copies.map(({ label, text }) => {
          const isCopied = result?.label === label ? result.isCopied : null
          return (
            <Menu.Item
              key={label}
              closeMenuOnClick={false}
              leftSection={isCopied === true ? <CheckIcon /> : <CopyIcon />}
              onClick={({ currentTarget }) => void copy(label, text, currentTarget)}
            >
              {/* Not a status or alert element, because a menu may contain only its entries. */}
              <span aria-live="polite">{describeCopy(label, isCopied)}</span>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The text of an entry: initially, after success and after a refused attempt. */
function describeCopy(label: string, isCopied: boolean | null): string {
  if (isCopied === null) return label
  return isCopied ? label.replace('Copy', 'Copied') : 'Your browser blocked copying.'
}

/** The command reads the API key from the environment, so copying it exposes no secret. */
function toCurl(path: string): string {
  const url = `${window.location.origin}/api/v1${path}`.replaceAll("'", '%27')
  return `curl -H "X-API-Key: $HANSARD_API_KEY" '${url}'`
}
