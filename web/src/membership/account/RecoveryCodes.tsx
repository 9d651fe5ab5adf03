import { Group, SimpleGrid } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { saveAs } from '../../platform/saveAs.ts'
import { Button } from '../../ui/Button.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import css from './Account.module.css'
import { Alert } from './Alert.tsx'

type Props = { codes: string[]; onSaved: () => void }

/** The recovery codes, shown only once. */
export function RecoveryCodes({ codes, onSaved }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ message: texts.recoveryCodesCopied }),
      () => toastError(texts.couldntCopyTheCodes, new Error(texts.yourBrowserBlockedTheClipboard)),
    )
  return (
    <>
      <Alert tone="note">{texts.saveYourRecoveryCodesNow}</Alert>
      <SimpleGrid
        component="ul"
        ref={list}
        tabIndex={-1}
        cols={{ base: 2, sm: 4 }}
        spacing="sm"
        className={`${css.codes} ${css.code}`}
        aria-label={texts.recoveryCodes}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </SimpleGrid>
      <Group gap="sm">
        <Button onClick={() => void copy()}>{texts.copyCodes}</Button>
        <Button onClick={() => saveText('dubplate-recovery-codes.txt', text)}>{texts.downloadCodes}</Button>
        <Button variant="primary" onClick={onSaved}>
          {texts.iveSavedMyCodes}
        </Button>
      </Group>
    </>
  )
}

/** Lets the browser save a text as a file. */
function saveText(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  saveAs(address, name)
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
