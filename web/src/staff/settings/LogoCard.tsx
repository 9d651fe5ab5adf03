import { settings } from '@dubplate/contract'
import { type DragEvent, useRef, useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { upload } from '../../platform/upload.ts'
import { Logo } from '../../site/Logo.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { Complaint } from '../forms/Complaint.tsx'
import forms from '../forms/Forms.module.css'
import { PictureFile } from '../forms/PictureFile.tsx'
import { isOutdated, sentenceOf } from '../forms/refused.ts'
import { CardHead } from './SettingCard.tsx'
import css from './Settings.module.css'
import { type Everything, readNow, SAVED, take } from './saving.ts'
import * as texts from './texts.ts'

/** The pool's logo for dark and light mode: saved as soon as it is chosen. */
export function LogoCard({ all }: { all: Everything }) {
  const { logo } = all.settings
  const { version } = all.groups.logo
  const field = useRef<HTMLInputElement>(null)
  /** The uploaded share, 0 to 1; undefined while nothing is being uploaded. */
  const [sent, setSent] = useState<number>()
  const [complaint, setComplaint] = useState('')
  const change = async (what: () => Promise<Everything>) => {
    setComplaint('')
    setSent(0)
    try {
      await take(await what())
      void toast({ message: SAVED })
    } catch (error) {
      setComplaint(sentenceOf(error))
      if (isOutdated(error)) await readNow().catch(() => undefined)
    }
    setSent(undefined)
  }
  const send = (picture: File | undefined) => {
    if (!picture) return
    const form = new FormData()
    form.append('version', String(version))
    form.append('picture', picture)
    void change(() => upload(settings.uploadLogo, form, setSent))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    send(event.dataTransfer.files[0])
  }
  return (
    <section
      data-framed
      className={`${forms.form} ${css.card}`}
      aria-labelledby="logo-card"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <CardHead
        id="logo-card"
        title={texts.logo}
        what={texts.shownInTheHeaderEmails}
        standing={all.groups.logo}
        isSetHere={logo.is_overridden}
        otherwise={texts.defaultLabel}
      />
      <div className={css.logos}>
        {(['dark', 'light'] as const).map((scheme) => (
          <span key={scheme} data-mantine-color-scheme={scheme}>
            <Logo />
          </span>
        ))}
      </div>
      <p className={forms.hint}>{texts.jpegPngWebpAvifOr}</p>
      <Complaint of={complaint} />
      <div className={forms.actions}>
        <Button busy={sent !== undefined} onClick={() => field.current?.click()}>
          {logo.is_overridden ? texts.replaceLogo : texts.uploadLogo}
        </Button>
        {logo.is_overridden && (
          <Button
            disabled={sent !== undefined}
            onClick={() => void change(() => callApi(settings.removeLogo, { version }))}
          >
            {texts.resetToGeneratedLogo}
          </Button>
        )}
        {sent !== undefined && sent > 0 && <progress value={sent} max={1} aria-label={texts.uploadingLogo} />}
      </div>
      <PictureFile field={field} onChoose={send} />
    </section>
  )
}
