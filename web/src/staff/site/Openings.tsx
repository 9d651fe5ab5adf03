import { openings } from '@dubplate/contract'
import { IconBriefcase } from '@tabler/icons-react'
import { useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import css from '../Lists.module.css'
import { OpeningEdit } from './OpeningEdit.tsx'
import { removeOpening } from './openings.ts'
import * as texts from './texts.ts'

/** Job openings, below the page about them; includes unpublished ones. */
export function Openings() {
  const { data, error, refetch } = useApiQuery(openings.getOpenings, {})
  /** The id of the opening being edited, or 'new'. */
  const [open, setOpen] = useState<number | 'new'>()
  const close = () => setOpen(undefined)
  return (
    <section className={css.part}>
      <div className={css.bar}>
        <SectionHead title={texts.jobOpenings} />
        {open !== 'new' && <Button onClick={() => setOpen('new')}>{texts.newJobOpening}</Button>}
      </div>
      {open === 'new' && <OpeningEdit onClose={close} />}
      {error && !data && (
        <ErrorState error={error} subject={texts.jobOpeningsInSentence} retry={() => void refetch()} />
      )}
      {!error && !data && <div className={css.bone} aria-busy />}
      {data?.openings.length === 0 && open !== 'new' && (
        <EmptyState icon={<IconBriefcase size={24} />} title={texts.noJobOpeningsYet}>
          {texts.theCareersPageShowsNo}
        </EmptyState>
      )}
      {data && data.openings.length > 0 && (
        <ul className={css.cards}>
          {data.openings.map((opening) => (
            <li key={opening.job_opening_id}>
              {open === opening.job_opening_id ? (
                <OpeningEdit opening={opening} onClose={close} />
              ) : (
                <Card opening={opening} onEdit={() => setOpen(opening.job_opening_id)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Card({ opening, onEdit }: { opening: openings.StaffOpening; onEdit: () => void }) {
  const { title, place, hours, apply_at, published } = opening
  const [isAsking, setAsking] = useState(false)
  const facts = [place, hours, apply_at || texts.applyViaContactPage].filter(Boolean).join(' · ')
  return (
    <article className={css.card} aria-label={title}>
      <div>
        <h3>{title}</h3>
        <p className={css.facts}>
          {!published && <b>{texts.unpublished}</b>}
          {facts}
        </p>
      </div>
      <div className={css.actions}>
        <Button aria-label={format(texts.editTitleLabel, { title })} onClick={onEdit}>
          {texts.edit}
        </Button>
        <Button aria-label={format(texts.deleteTitleLabel, { title })} onClick={() => setAsking(true)}>
          {texts.deleteButton}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteJobOpening}
          what={format(texts.willBeDeletedToHide, { title })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => removeOpening(opening)}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  )
}
