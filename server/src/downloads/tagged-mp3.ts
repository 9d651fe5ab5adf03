import type { PreservedTags } from '../audio-files/payload.ts'
import { id3Tag } from './id3.ts'
import type { CheckedSegment, Tags } from './tagged-file.ts'

type PreservedMp3Tags = Extract<PreservedTags, { kind: 'mp3' }>

/** Space for DJ software to add its own frames without rewriting the whole file. */
const PADDING_BYTES = 1024

/** Returns an MP3 with a fresh ID3v2.3 tag at its start and none at its end. */
export function tagMp3(audioSegments: CheckedSegment[], preserved: PreservedMp3Tags, tags: Tags): CheckedSegment[] {
  return [id3Tag(tags, preserved.frames, PADDING_BYTES), ...audioSegments]
}
