import { XMLParser } from 'fast-xml-parser'

const LISTS = ['TRACK', 'TEMPO', 'POSITION_MARK', 'ENTRY', 'CUE_V2', 'NODE', 'song']

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => LISTS.includes(name),
})

/** The elements of an XML file by name, each with its attributes and the elements inside. */
// biome-ignore lint/suspicious/noExplicitAny: the parser's own type
export const parseXml = (text: string): any => parser.parse(text)
