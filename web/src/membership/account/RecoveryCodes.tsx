import { useEffect, useRef } from 'react'
import { saveAs } from '../../platform/saveAs.ts'
import { Button } from '../../ui/Button.tsx'
import { toast, toastTrouble } from '../../ui/toast.ts'
import { Alert } from './Alert.tsx'
import css from './TwoStep.module.css'

type Props = { codes: string[]; onKept: () => void }

/** The recovery codes, shown this once. */
export function RecoveryCodes({ codes, onKept }: Props) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ message: 'Recovery codes copied.' }),
      () =>
        toastTrouble(
          'Couldn’t copy the codes',
          new Error('Your browser blocked the clipboard. Select the codes and copy them.'),
        ),
    )
  return (
    <>
      <Alert tone="note">
        Save your recovery codes now; you won’t see them again. If you lose your phone, each code lets you sign in once.
      </Alert>
      <ul ref={list} tabIndex={-1} className={css.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css.actions}>
        <Button onClick={() => void copy()}>Copy codes</Button>
        <Button onClick={() => saveText('dubplate-recovery-codes.txt', text)}>Download codes</Button>
        <Button look="primary" onClick={onKept}>
          I’ve saved my codes
        </Button>
      </div>
    </>
  )
}

/** Gives a text to the browser to save. */
function saveText(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  saveAs(address, name)
  // The browser has taken it up by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
