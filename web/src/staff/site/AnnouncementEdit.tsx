import { announcements } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import { Announcement } from '../../site/Announcements.tsx'
import { ANNOUNCED_PAGES } from '../../site/announcedPages.ts'
import { RichText } from '../../ui/RichText.tsx'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { ChoiceField, MomentField, Tick } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import css from '../forms/Forms.module.css'
import { Theirs } from '../forms/Theirs.tsx'
import { useEntry, type Wrong } from '../forms/useEntry.ts'
import { zoneInWords } from '../moments.ts'
import {
  type AnnouncementEntry,
  AUDIENCE_WORDS,
  entryOf,
  isBlank,
  NEW_ENTRY,
  wishOf,
  wrongAnnouncement,
} from './announcementEntry.ts'
import { announce, readAgain } from './announcing.ts'
import * as texts from './texts.ts'

type StaffAnnouncement = announcements.StaffAnnouncement

export const draftNameOf = (messageId: number | undefined) => `announcement.${messageId ?? 'new'}`

type Props = {
  /** Undefined for a new one. */
  announcement?: StaffAnnouncement
  onSaved: (saved: StaffAnnouncement) => void
  onClose: () => void
}

/** Edits an announcement and previews it as it will look on its page. */
export function AnnouncementEdit({ announcement, onSaved, onClose }: Props) {
  const entry = useEntry<AnnouncementEntry, StaffAnnouncement>({
    draftName: draftNameOf(announcement?.message_id),
    first: announcement ? entryOf(announcement) : NEW_ENTRY,
    wrongOf: wrongAnnouncement,
    namesInForm: { published_at: 'from', ended_at: 'until' },
    send: (typed) => announce(wishOf(typed, announcement)),
    onSaved,
    meanwhile: announcement && { read: () => readAgain(announcement.message_id), entryOf },
    onClose,
  })
  const { typed, wrong, write, theirs } = entry
  return (
    <EntryForm entry={entry} title={announcement ? texts.editAnnouncement : texts.newAnnouncement}>
      <RichText
        label={texts.announcement}
        value={typed.message}
        onChange={(message) => write({ message })}
        error={wrong.message}
        placeholder={texts.oneOrTwoSentencesLinks}
        minRows={3}
        autoFocus
      />
      <div className={css.preview}>
        <h3>{texts.preview}</h3>
        {isBlank(typed.message) ? (
          <p className={css.hint}>{texts.nothingToPreviewYet}</p>
        ) : (
          <Look html={typed.message} />
        )}
      </div>
      <Whom typed={typed} onChange={write} wrong={wrong} />
      <Times typed={typed} onChange={write} wrong={wrong} />
      {announcement && announcement.hidden_by > 0 && (
        <Tick isTicked={typed.show_again} onTick={(show_again) => write({ show_again })}>
          {format(texts.showAgainToMembersWho, { hidden_by: announcement.hidden_by })}
        </Tick>
      )}
      <EntryEnd entry={entry} verb={announcement ? texts.save : texts.publish}>
        {theirs && (
          <Theirs entry={entry}>
            <p>{texts.someoneElseChangedThisWhile}</p>
            <Look html={theirs.message} />
          </Theirs>
        )}
      </EntryEnd>
    </EntryForm>
  )
}

const Look = ({ html }: { html: string }) => (
  <div inert>
    <Announcement html={html} />
  </div>
)

type PartProps = { typed: AnnouncementEntry; wrong: Wrong; onChange: (change: Partial<AnnouncementEntry>) => void }

const PAGES = announcements.ANNOUNCED_PAGES.map((name) => [name, ANNOUNCED_PAGES[name]?.text ?? name] as const)
const AUDIENCES = announcements.AUDIENCES.map((audience) => [audience, AUDIENCE_WORDS[audience]] as const)

const Whom = ({ typed, wrong, onChange }: PartProps) => (
  <div className={css.pair}>
    <ChoiceField
      label={texts.page}
      path="page_name"
      wrong={wrong.page_name}
      value={typed.page_name}
      choices={PAGES}
      onChoose={(page_name) => onChange({ page_name })}
    />
    <ChoiceField
      label={texts.audience}
      path="audience"
      wrong={wrong.audience}
      value={typed.audience}
      choices={AUDIENCES}
      onChoose={(audience) => onChange({ audience })}
    />
  </div>
)

const Times = ({ typed, wrong, onChange }: PartProps) => (
  <>
    <div className={css.pair}>
      <MomentField
        label={texts.starts}
        path="published_at"
        note={texts.leaveEmptyToPublishNow}
        wrong={wrong.from}
        value={typed.from}
        onChange={(from) => onChange({ from })}
      />
      <MomentField
        label={texts.ends}
        path="ended_at"
        note={texts.leaveEmptyForNoEnd}
        wrong={wrong.until}
        value={typed.until}
        onChange={(until) => onChange({ until })}
      />
    </div>
    <p className={css.hint}>{format(texts.timesAreInYourTime, { zoneInWords: zoneInWords() })}</p>
  </>
)
