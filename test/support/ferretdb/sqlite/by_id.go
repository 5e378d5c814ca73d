// Becomes part of FerretDB's own package of this name when the stand-in for MongoDB is built.
package sqlite

import (
	"fmt"
	"strings"

	"github.com/FerretDB/FerretDB/internal/backends/sqlite/metadata"
	"github.com/FerretDB/FerretDB/internal/handler/sjson"
	"github.com/FerretDB/FerretDB/internal/types"
	"github.com/FerretDB/FerretDB/internal/util/must"
)

// whereByID narrows a query to the ids that its filter names, alone or beside other conditions, as an index of MongoDB does: FerretDB itself
// reads the whole collection for all but one id alone. What is found is compared with the whole filter afterwards.
func whereByID(filter *types.Document) (string, []any) {
	ids, found := namedIDs(filter)
	if !found {
		return "", nil
	}
	places := strings.TrimSuffix(strings.Repeat("?, ", len(ids)), ", ")
	return fmt.Sprintf(" WHERE %s IN (%s)", metadata.IDColumn, places), ids
}

func namedIDs(filter *types.Document) ([]any, bool) {
	if id, err := filter.Get("_id"); err == nil {
		return idsOf(id)
	}
	all, err := filter.Get("$and")
	if err != nil {
		return nil, false
	}
	conditions, isArray := all.(*types.Array)
	if !isArray {
		return nil, false
	}
	for i := range conditions.Len() {
		if condition, isDocument := must.NotFail(conditions.Get(i)).(*types.Document); isDocument {
			if ids, found := namedIDs(condition); found {
				return ids, true
			}
		}
	}
	return nil, false
}

// idsOf gives the ids that a condition on `_id` allows, where it lists them.
func idsOf(condition any) ([]any, bool) {
	if operators, isDocument := condition.(*types.Document); isDocument {
		if id, err := operators.Get("$eq"); err == nil {
			return stored(id)
		}
		if list, err := operators.Get("$in"); err == nil {
			if ids, isArray := list.(*types.Array); isArray {
				return stored(must.NotFail(allOf(ids))...)
			}
		}
		return nil, false
	}
	return stored(condition)
}

func allOf(list *types.Array) ([]any, error) {
	values := make([]any, list.Len())
	for i := range values {
		value, err := list.Get(i)
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}

// stored gives ids as they stand in the table.
func stored(ids ...any) ([]any, bool) {
	texts := make([]any, len(ids))
	for i, id := range ids {
		switch id.(type) {
		case string, types.ObjectID:
			texts[i] = string(must.NotFail(sjson.MarshalSingleValue(id)))
		default:
			return nil, false
		}
	}
	return texts, true
}
