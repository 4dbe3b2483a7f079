/** Public types for the option `fields`: results that have some of their arrays only. */

/** Properties of results that are no choice of `fields`: every result of the query has them. */
type Always = 'count' | 'statusCounts' | 'hits' | 'first';

/** Names of a result's arrays: `FieldOf<Contacts>` is `'pair' | 'status' | 'distance' | …`. */
export type FieldOf<Result> = Extract<Exclude<keyof Result, Always>, string>;

/** The type of a list of names as it was written, such as `readonly ['distance', 'normal']`; undefined: no list. */
export type FieldList = readonly string[] | undefined;

/** The option `fields`: the list itself, if each of its names is that of an array of `Result`. */
export type Fields<Result, List extends FieldList> = {
  readonly [Index in keyof List]: List[Index] extends FieldOf<Result> ? List[Index] : FieldOf<Result>;
};

/**
 * The result of a query with these `fields`; the whole `Result` without. If the names are known only at run time, each
 * array may be missing.
 */
export type Selected<Result, List extends FieldList> = List extends readonly string[]
  ? List[number] extends FieldOf<Result>
    ? number extends List['length']
      ? PartialSelection<Result, List[number]>
      : Selection<Result, List[number]>
    : Result
  : Result;

/**
 * The result of a query with these `fields` and this option `bodies`: with `bodies: true`, and no `fields`, it has `a` and
 * `b`.
 */
export type Answer<Result, List extends FieldList, Bodies> = List extends readonly string[]
  ? Selected<Result, List>
  : [Bodies] extends [true]
    ? WithBodies<Result>
    : Result;

/** A result of pairs that has the body indices of each slot's pair, and its items too. */
type WithBodies<Result> = Result extends { readonly a?: Uint32Array } & Iterable<infer Item>
  ? Omit<Result, BodyNames | typeof Symbol.iterator> &
      Named<Result, BodyNames> &
      Iterable<Omit<Item, BodyNames> & Named<Item, BodyNames>>
  : Result;

type BodyNames = 'a' | 'b';

/** The `target` of a query with these `fields`: a result, or only the arrays that the query writes. */
export type TargetOf<Result, List extends FieldList> = List extends readonly string[]
  ? number extends List['length']
    ? Partial<Named<Result, List[number]>>
    : Named<Result, List[number]>
  : Result;

/** The arrays of a `Result` that have these names, and its counts. Its items have the same fields. */
export type Selection<Result, Name> = Counted<Result> & Named<Result, Name> & Iterable<SelectedItem<Result, Name>>;

/** The same, but each array may be missing. */
export type PartialSelection<Result, Name> = Counted<Result> &
  Partial<Named<Result, Name>> &
  Iterable<Partial<SelectedItem<Result, Name>>>;

/**
 * An item of such a result. Items of `manifolds` have `points` if `pointCount` is among the names. The points have those
 * of `position`, `distance` and `feature` that are.
 */
export type SelectedItem<Result, Name> =
  Result extends Iterable<infer Item>
    ? Item extends { points: (infer Point)[] }
      ? Named<Item, Name> & ('pointCount' extends Name ? { points: Named<Point, Name>[] } : unknown)
      : Named<Item, Name>
    : never;

/** The properties of a type that have these names; none of them is optional. */
type Named<Type, Name> = Required<Pick<Type, Extract<keyof Type, Name>>>;

type Counted<Result> = Pick<Result, Extract<keyof Result, Always>>;
