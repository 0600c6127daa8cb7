// The public API of the content engine. Other folders import these names, from the files that declare them: an import of this
// file would add the whole engine to every bundle. `tests/content-api.test.ts` fails for an import that is not listed here.

// Documents

/** The document model: the types of blocks, inlines and marks. */
export * from './document/nodes.ts'

export {
  /** A block of one type. */
  type BlockOf,
  /** The name of a block type. */
  type BlockType,
  /** The definitions of all block types. */
  blockDefinitions,
  /** Returns the definition of a block type: fields, contents, text, anchor, references. */
  definitionOf,
} from './document/block-definitions.ts'

export {
  /** The data of a block of one type. */
  type DataOf,
} from './document/validate-data.ts'

export {
  /** Escapes a text so that a pattern matches it literally. */
  escapePattern,
} from './document/escape-pattern.ts'

export {
  /** A found text in its line. */
  type TextMatch,
  /** A literal text that is searched. */
  type TextQuery,
  /** Finds a text in a document. */
  findText,
  /** Replaces some of the found texts. */
  replaceText,
  /** Character that represents nodes other than text in a line. */
  textPlaceholder,
  /** Returns a pattern that finds a text. */
  toTextPattern,
} from './document/find-text.ts'

export {
  /** Collects texts and inlines, joining texts with equal marks. */
  InlineBuilder,
  /** Adds a mark to a list of marks. */
  addMark,
  /** Makes a document of blocks. */
  createDocument,
  /** Makes a leaf of text with marks. */
  leaf,
  /** Makes a mark. */
  mark,
  /** Makes a paragraph of inlines. */
  paragraph,
  /** Compares two lists of marks. */
  areMarksEqual,
} from './document/build.ts'

export {
  /** Returns the blocks directly below a block, including those in fragments and annotations. */
  childBlocks,
  /** Iterates over every block of a document in reading order. */
  walkBlocks,
  /** Iterates over every inline of a block. */
  walkInlines,
  /** Replaces blocks, the inner ones first. */
  mapBlocks,
  /** Replaces the blocks directly below a block, and its inlines. */
  mapChildren,
  /** Replaces inlines and blocks. */
  mapNodes,
  /** Returns the document with other blocks, or itself when they are the same. */
  withNodes,
} from './document/walk.ts'

export {
  /** The parts of a document from which derived rows are computed. */
  type DocumentExtract,
  /** An extract with each part as JSON. */
  type ExtractJson,
  /** Keeps extracts of documents for computing derived rows from them. */
  type ExtractKeeper,
  /** Extracts the parts of a document from which derived rows are computed. */
  extractDocument,
} from './document/extract.ts'

export {
  /** Part of a page that is indexed separately. */
  type Section,
  /** Splits a document with anchors into sections. */
  splitIntoSections,
} from './document/sections.ts'

export {
  /** Returns the text of a code block. */
  codeText,
  /** Returns the code blocks among the blocks of a document. */
  findCodeBlocks,
} from './document/code-text.ts'

export {
  /** Returns the lists of blocks inside a block: its nodes and its fragments. */
  blockGroupsOf,
  /** Indexes the blocks of a document by their keys. */
  indexBlocks,
  /** Compares contents without the keys of nodes other than blocks. */
  isEqualContent,
  /** Tests whether a block contains inlines. */
  isTextBlock,
  /** The name of the list of blocks directly in a block or document. */
  nodesGroup,
  /** Replaces the lists of blocks inside a block. */
  withBlockGroups,
  type BlockIndex,
  type BlockLocation,
} from './document/block-groups.ts'

export {
  /** Returns the text of a document without markup. */
  documentText,
  /** Converts the code points of an emoji to characters. */
  emojiCharacters,
  /** Returns the text of a header of a table. */
  headerText,
  /** Joins adjacent texts into one. */
  joinTexts,
  /** Returns the text of a block without that of the blocks inside it. */
  ownTextLines,
  /** Returns the text of inlines without markup. */
  plainText,
  /** Returns the text of a table, one line for each row. */
  tableTextLines,
  /** Returns the text of blocks without markup. */
  textOfBlocks,
} from './document/text.ts'

export {
  /** Validates and normalizes a document that a client sent. */
  readDocument,
} from './document/validate.ts'

export {
  /** Thrown for an invalid document, with the path of the invalid value. */
  DocumentError,
} from './document/validate-values.ts'

export {
  /** Thrown when a document exceeds a limit. */
  DocumentTooLargeError,
  /** Throws when a document exceeds a limit other than its length. */
  assertStructureWithinLimits,
  /** Throws when a document exceeds a limit. */
  assertWithinLimits,
  /** Returns which share of the limits a document uses. */
  limitUsage,
} from './document/limits.ts'

export {
  /** Adds the fields that the public schema requires. */
  completeDocument,
} from './document/complete.ts'

export {
  /** Removes what `completeDocument` added from a document that a client sent back. */
  restoreStoredDocument,
} from './document/restore.ts'

export {
  /** Gives blocks the keys that they had in the previous version. */
  assignKeys,
} from './document/assign-keys.ts'

export {
  /** Compares two versions of a document block by block. */
  diffDocuments,
  /** Compares two indexed versions of a document block by block. */
  diffIndexedDocuments,
  /** Indexes the blocks of a document by key. */
  indexDocument,
  /** Compares two texts word by word. */
  diffInlines,
  type BlockChange,
  type IndexedDocument,
  type TextChange,
} from './document/diff.ts'

export {
  /** Merges two versions of a document. */
  mergeDocuments,
  type DocumentConflict,
} from './document/merge.ts'

export {
  /** Returns the key of the block of the document itself that contains a block. */
  ownKeyOf,
} from './document/reusable-contents.ts'

export {
  /** Restores some blocks of an earlier version. */
  revertBlocks,
  /** Returns the keys that neither version contains. */
  findUnknownKeys,
} from './document/revert.ts'

export {
  /** Finds the longest common subsequence of two lists. */
  alignSequences,
  /** Returns the differences between two aligned lists. */
  toSequenceEdits,
} from './document/sequences.ts'

export {
  /** Returns the text of a heading, or the names of its icons and images. */
  headingName,
  /** Returns the table of contents of a page. */
  createOutline,
  /** Gives every heading and other link target an id. */
  withAnchorIds,
  type OutlineEntry,
} from './document/outline.ts'

export {
  /** Returns the names of the variables of the space that a document and the condition of its page use. */
  findUsedVariables,
} from './document/used-variables.ts'

export {
  /** Finds the id that an anchor in a link means. */
  PageAnchors,
} from './document/anchors.ts'

export {
  /** Replaces the references of a document. */
  mapReferences,
  /** A reference of a document, with the key of its block. */
  type Reference,
  /** Returns every reference of a document. */
  collectReferences,
} from './document/references.ts'

export {
  /** Evaluates conditions and expressions. */
  evaluateDocument,
  /** Evaluates a document for a visitor and removes HTML that is not shown. */
  evaluateForVisitor,
  /** Evaluates a document for a member, who sees all content. */
  evaluateForMember,
} from './document/evaluate.ts'

export {
  /** Pairs the formatting tags among inlines. */
  pairFormattingTags,
  /** Tests whether a paragraph contains only comments, tags and anchors. */
  isInvisibleParagraph,
} from './document/raw-html.ts'

export {
  /** Returns the name of the element of an HTML tag that formats text, such as `<u>`. */
  formattingName,
} from './document/formatting-tags.ts'

export {
  /** Returns the ids of the columns of a table in their order. */
  columnOrder,
  /** Returns the order index of a row at a position. */
  orderIndexAt,
  /** Returns the ids of the rows of a table in their order. */
  rowOrder,
  /** Sorts the fragments of a table by the cells that contain them. */
  sortFragments,
} from './document/tables.ts'

export {
  /** Converts an sRGB color to OKLCH. */
  toOklch,
  /** Converts an sRGB value to linear light. */
  toLinear,
  type OklchColor,
  type Rgb,
} from './document/oklch.ts'

export {
  /** Returns the player of another site for the URL of a page; undefined if it has none. */
  findEmbedPlayer,
  /** A player of another site that can be embedded. */
  type EmbedPlayer,
  /** Shapes of players: video, tall content such as designs and code, audio. */
  type EmbedShape,
  /** Origins of all players. */
  frameOrigins,
} from './document/embed-players.ts'

// Markdown

export {
  /** Parses Markdown to a document with the position of every block. */
  parsePage,
  /** Options of the parser. */
  type ParseOptions,
} from './markdown/parse.ts'

export {
  /** Parses Markdown with its front matter. */
  parsePageFile,
  type ParsedPageFile,
} from './markdown/parse-page-file.ts'

export {
  /** Inserts the resolved links into a page that `parseDeferredPage` returned. */
  insertDestinations,
  /** Parses a page without resolving its links, for worker threads. */
  parseDeferredPage,
  /** Resolves the links of a page that `parseDeferredPage` returned. */
  resolveDestinations,
  type PageDestinations,
  type ResolvedDestination,
} from './markdown/deferred.ts'

export {
  /** Joins the parts that `printPageParts` returned. */
  joinPageParts,
  /** Prints a page as Markdown. */
  printPage,
  /** Prints a page block by block. */
  printPageParts,
} from './markdown/print.ts'

export {
  /** Prints the front matter of a page. */
  printFrontMatter,
} from './markdown/print-front-matter.ts'

export {
  /** Replaces character references of HTML. */
  decodeEntities,
} from './markdown/html.ts'

export {
  /** Converts blocks to inlines, for places that accept no blocks. */
  blocksToInlines,
} from './markdown/print-html.ts'

export {
  /** Prints a table of contents as SUMMARY.md. */
  printSummary,
  type SummaryEntry,
  type SummaryItem,
} from './markdown/summary.ts'

export {
  /** Tests whether a link is one that exports write for a deleted target. */
  isDeletedTarget,
  /** Tests whether a link is a path. */
  isPath,
  /** Parses a link that names its target by id. */
  parseStableDestination,
  /** Reads and writes links without a tree of pages. */
  verbatimReferences,
  /** Prints a link that names its target by id. */
  printStableDestination,
  type References,
} from './markdown/references.ts'

export {
  /** Converts a title to a slug. */
  toSlug,
  /** Adds a number to a slug that is taken. */
  uniqueSlug,
} from './markdown/slug.ts'

export {
  /** Escapes the characters that Markdown would interpret. */
  escapeMarkdown,
} from './markdown/escape.ts'

export {
  /** Tests whether YAML is nested too deeply for its parser. */
  isNestedTooDeep,
} from './markdown/yaml-depth.ts'

export {
  /** Tests whether a text has too much markup to be parsed. */
  hasTooMuchMarkup,
} from './markdown/markup-limits.ts'

export {
  /** Makes a code block of a text. */
  createCodeBlock,
  /** Returns the block type of a heading level. */
  headingType,
  /** Makes an image with a caption. */
  createImage,
  /** Makes a block of images. */
  createImages,
  /** Validates the id of a heading. */
  readHeadingId,
  /** Parses an integer within bounds. */
  readInteger,
  /** Parses a width or height. */
  readLength,
  /** Omits empty data. */
  toOptionalData,
} from './markdown/make-blocks.ts'

export {
  /** Makes a table of titles and rows. */
  createTextTable,
} from './markdown/parse-table.ts'

export {
  /** Returns the code points of the emoji with a name. */
  findEmojiCode,
  /** Finds emoji by a part of their names. */
  findEmojiNames,
} from './markdown/emoji.ts'

// Expressions

export {
  /** Evaluates a condition. */
  evaluateCondition,
  /** Tests whether a text is an expression. */
  isExpression,
  /** Returns the variables that expressions can read. */
  makeExpressionScope,
  /** Returns why a text is not an expression. */
  findExpressionError,
  type SharedBudget,
  type ConditionResult,
  type ExpressionScope,
} from './expression/index.ts'

// The content of a space

export {
  /** The root of an empty space. */
  emptyRoot,
  /** Error for an object that is not stored. */
  MissingObjectError,
  /** Returns the title of a page in navigation. */
  navigationTitleOf,
  /** Reads a stored object. */
  readObject,
  /** Reads several stored objects. */
  readObjects,
  type FileObject,
  type ListedFile,
  type Listing,
  type ItemEntry,
  type ObjectReadOptions,
  type Objects,
  type PageEntry,
  type PageFields,
  type ParentEntry,
  type PageLayout,
  type PageObject,
  type PageType,
  type ReusableContentObject,
  type Root,
  type StoredObject,
  type TagDefinition,
  type Variables,
} from './revision/objects.ts'

// Documents

export {
  /** Serializes a value so that equal values have equal texts. */
  canonicalJson,
} from './document/canonical-json.ts'

// The content of a space

export {
  /** Counts the entries of a stored list. */
  countSequence,
  /** An empty stored list. */
  emptySequence,
  /** Finds entries of a sorted list by id. */
  findInSorted,
  /** Reads the entries of a sorted list after an id. */
  readSortedRange,
  /** Reads all entries of a stored list. */
  readSequence,
  type EntryChange,
  type NodeStore,
  type Sequence,
} from './revision/sequence.ts'

export {
  /** Finds a link page by path. */
  findLinkByPath,
  /** Finds a page by id. */
  findPage,
  /** Finds many pages at once and omits missing ones. */
  findPages,
  /** Finds a page by path, following redirects. */
  findPageByPath,
  /** Returns the ids of the pages above a page. */
  findLineageIds,
  /** Opens the content of a revision. */
  openTree,
  /** Returns the path of a page. */
  pathOfPage,
  /** Reads a list of pages with everything below them. */
  readPageNodes,
  type LocatedPage,
  type PageNode,
  type Tree,
} from './revision/tree.ts'

export {
  /** Reads several pages with the pages above them. */
  readLineages,
  type Lineage,
  type LineagePage,
} from './revision/lineages.ts'

export {
  /** Changes a tree and writes the changed objects. */
  Draft,
  type DraftPage,
  type PageBody,
  type PagePosition,
  type Yielder,
} from './revision/draft.ts'

export {
  /** Thrown for a change that a tree does not allow. */
  TreeError,
} from './revision/tree-error.ts'

export {
  /** Thrown when two trees differ in more pages than the caller accepts. */
  TooManyChangesError,
  /** Returns the fields that differ between two versions of a page. */
  changedFields,
  /** Compares two trees page by page. */
  diffTrees,
  /** Tests whether two trees differ only in timestamps. */
  hasSameContent,
  /** Compares two stored values. */
  isSameValue,
  type PageChange,
  type PageField,
  type PageState,
  type TreeDiff,
} from './revision/diff.ts'

export {
  /** Merges the changes of two trees since their base. */
  mergeTrees,
  type MergeResult,
} from './revision/merge.ts'

export {
  /** Tests whether a conflict is about a block. */
  isConflictAboutBlock,
  /** Returns a key that is equal for conflicts about the same thing. */
  nameOfConflict,
  /** Returns the body of a page with another value of a field. */
  withPageField,
  /** Sets and removes entries of a record. */
  withRecordValues,
  type Conflict,
  type Side,
  type Sides,
} from './revision/conflict.ts'

export {
  /** Refreshes open conflicts against the current head. */
  refreshConflicts,
} from './revision/refresh-conflicts.ts'

export {
  /** Applies decisions about conflicts to a draft. */
  ConflictResolver,
  type ConflictContext,
} from './revision/resolve-conflicts.ts'

export {
  /** Moves a page to its former position. */
  moveToFormerPosition,
  /** Restores one page of a former revision. */
  restorePage,
  /** Restores a whole former revision. */
  restoreTree,
} from './revision/restore.ts'

export {
  /** A document without blocks. */
  emptyDocument,
  /** Inserts reusable contents into a document. */
  expandReusableContents,
} from './revision/reusable-contents.ts'

export {
  /** Inserts a page of another tree with the pages below it. */
  insertSubtree,
  type PageLocation,
} from './revision/subtree.ts'

export {
  /** Iterates over all objects that roots refer to. */
  iterateReachableHashes,
} from './revision/reachable-objects.ts'

// Folders of files

export {
  /** Imports a folder of Markdown files. */
  importRepository,
  type ImportedContent,
  type ListedContent,
} from './repository/import.ts'

export {
  /** Returns the file changes that bring a folder up to date. */
  exportRepository,
  type ExportOptions,
  type ExportResult,
  type FileChange,
} from './repository/export.ts'

export {
  /** Exports all content as files. */
  exportAllFiles,
  type ExportedFile,
  type FullExport,
  type FullExportOptions,
} from './repository/export-all-files.ts'

export {
  /** Prints all content and parses it again, to verify that nothing is lost. */
  checkRoundTrips,
} from './repository/round-trip.ts'

export {
  /** Adds the pages of one tree to another. */
  graftTree,
} from './repository/graft.ts'

export {
  /** Copies content under new ids. */
  copyTree,
  /** Returns a text that is equal for equal references. */
  refKeyOf,
} from './repository/copy.ts'

export {
  /** Tests whether a listing was written by the current importer. */
  isReadByCurrentVersion,
} from './repository/listing.ts'

export {
  /** The names of configuration files. */
  configFileNames,
  /** The names of folders for files that are not pages. */
  contentFolders,
} from './repository/config.ts'

export {
  /** Returns the last part of a path. */
  baseName,
  /** Returns the file of a page. */
  fileOfPage,
  /** Returns the folder of a file. */
  folderOf,
  /** Tests whether a file is Markdown. */
  isMarkdown,
  /** Resolves a path relative to a folder. */
  resolvePath,
  /** Returns the path of the page of a file. */
  pagePathOf,
  /** Decodes a percent-encoded path. */
  decodeFilePath,
  /** Returns the path of a file relative to another file. */
  relativeFilePath,
  /** Returns the path of a file relative to another file, a README by its folder. */
  relativeLinkPath,
} from './repository/paths.ts'

export type { RepositoryProblem, SourceAsset, SourceFile, SourceFolder, SourceText } from './repository/source.ts'

export type { FileUrlMapping } from './repository/references.ts'

export type { OffThreadParser, OffThreadPage } from './repository/parse-text-file.ts'

export type { LongTextSettings } from './repository/import-texts.ts'

// The content of a space

export {
  /** Fields of pages that a merge can keep as theirs. */
  keptFields,
  type BlockAddress,
} from './revision/merge-values.ts'

// Markdown

export type { PageMetadata } from './markdown/front-matter.ts'
