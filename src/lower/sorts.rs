//! Types as sorts.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use ult_lang::hir::{
    Attribute, AttributeArgument, Background, DatatypeId, ExprKind, MapType, Type, TypeId,
    TypeVarId,
};
use ult_lang::resolve::types::free_vars;
use ult_lang::stack::ensure_stack;

use super::bounded_datatypes::{Bounds, Instance, Level};
use super::names::{Names, mangle};
use super::polymaps::Instances;
use super::recursive::{Kinds, Pending};
use ult_core::formula::{ConstructorSort, FieldSort, Function, Sort};

/// Wider bit-vectors are refused: a single literal would take megabytes.
pub const MAX_WIDTH: u32 = 1 << 16;

/// What type parameters stand for.
pub type TypeEnv = BTreeMap<TypeVarId, Sort>;

/// The sorts of a program's types; instances of type constructors are named as they come up.
#[derive(Debug, Default)]
pub struct Sorts {
    instances: HashMap<(TypeId, Vec<Sort>), Sort>,
    datatypes: HashMap<(DatatypeId, Vec<Sort>), Sort>,
    /// Which instances of polymorphic maps there are.
    polymaps: Instances,
    /// What the type parameters of procedures stand for.
    opaque: TypeEnv,
    records: HashMap<MapType, Record>,
    /// The polymorphic map types whose records are being made.
    making: Vec<MapType>,
    /// The sorts of maps without indices, by those of their elements.
    only: HashMap<Sort, Sort>,
    /// Which datatypes are recursive, once somebody has asked.
    kinds: OnceCell<Kinds>,
    /// Instances of recursive datatypes about which nothing is said yet.
    pending: Vec<Pending>,
    /// How high values of recursive datatypes may be, if there are to be no axioms about them.
    height: Option<u32>,
    bounds: Bounds,
    /// Recursive datatypes whose values are being looked at.
    open: BTreeSet<DatatypeId>,
}

/// A polymorphic map type as a record of ordinary maps.
#[derive(Clone, Debug)]
pub struct Record {
    /// The sort: a datatype with one constructor. Its first field stands for the choices of types
    /// that do not occur.
    pub sort: Sort,
    /// What the type parameters stand for in the other fields.
    pub choices: Vec<Vec<Sort>>,
    /// The same as types.
    pub types: Vec<Vec<Type>>,
}

impl Sorts {
    /// No sort yet; polymorphic maps have these instances. With a height, recursive datatypes have no higher values
    /// ([`bounded_datatypes`](super::bounded_datatypes)).
    pub fn new(polymaps: Instances, height: Option<u32>, names: &mut Names) -> Sorts {
        let opaque = polymaps
            .opaque
            .iter()
            .map(|(id, name)| (*id, Sort::Uninterpreted(names.fresh(name))))
            .collect();
        Sorts {
            polymaps,
            opaque,
            height,
            ..Sorts::default()
        }
    }

    /// The types at which polymorphic maps are used, or functions if there are no such maps, and the other types;
    /// those that have no sort are left out.
    pub fn universe(&mut self, background: &Background, names: &mut Names) -> Vec<Sort> {
        let opaque = self.opaque.clone();
        let mut universe = Vec::new();
        for ty in self.polymaps.universe() {
            if let Ok(sort) = self.sort(background, names, &ty, &opaque)
                && !universe.contains(&sort)
            {
                universe.push(sort);
            }
        }
        universe
    }

    /// What a type parameter of a procedure stands for where nothing is known about it.
    pub fn opaque(&self, id: TypeVarId) -> Option<&Sort> {
        self.opaque.get(&id)
    }

    /// The sort of a type. The error says which part of the type has none.
    pub fn sort(
        &mut self,
        background: &Background,
        names: &mut Names,
        ty: &Type,
        env: &TypeEnv,
    ) -> Result<Sort, String> {
        Ok(match ty {
            Type::Bool => Sort::Bool,
            Type::Int => Sort::Int,
            Type::Real => Sort::Real,
            Type::BitVec(0) => return Err("the type `bv0`".into()),
            Type::BitVec(width) if *width > MAX_WIDTH => {
                return Err(format!("the type `bv{width}`"));
            }
            Type::BitVec(width) => Sort::BitVec(*width),
            Type::Float {
                significand,
                exponent,
            } => float(*exponent, *significand)?,
            Type::RoundingMode => Sort::RoundingMode,
            Type::String => Sort::String,
            Type::Regex => Sort::RegEx,
            Type::Datatype(id, args) => {
                let args: Vec<Sort> = ensure_stack(|| {
                    args.iter()
                        .map(|ty| self.sort(background, names, ty, env))
                        .collect::<Result<_, _>>()
                })?;
                return ensure_stack(|| self.datatype(background, names, *id, args));
            }
            Type::Error => return Err("an erroneous type".into()),
            Type::Var(var) => match env.get(var) {
                Some(sort) => sort.clone(),
                None => return Err("a type parameter".into()),
            },
            Type::Map(map) => {
                if !map.type_params.is_empty() {
                    return Ok(ensure_stack(|| self.record(background, names, map))?.sort);
                }
                if map.domain.is_empty() {
                    let range = ensure_stack(|| self.sort(background, names, &map.range, env))?;
                    return Ok(self.only_element(names, range));
                }
                return ensure_stack(|| {
                    let domain = map
                        .domain
                        .iter()
                        .map(|ty| self.sort(background, names, ty, env))
                        .collect::<Result<_, _>>()?;
                    Ok(Sort::map(
                        domain,
                        self.sort(background, names, &map.range, env)?,
                    ))
                });
            }
            Type::Constructor(id, args) => {
                let args: Vec<Sort> = ensure_stack(|| {
                    args.iter()
                        .map(|ty| self.sort(background, names, ty, env))
                        .collect::<Result<_, _>>()
                })?;
                if let Some(sort) = self.instances.get(&(*id, args.clone())) {
                    return Ok(sort.clone());
                }
                let Some(constructor) = background.types.get(id.index()) else {
                    return Err("an unknown type".into());
                };
                let sort = match builtin(&constructor.attributes, &args)? {
                    Some(sort) => sort,
                    None => {
                        let mut name = constructor.name.clone();
                        for arg in &args {
                            name += "#";
                            name += &mangle(arg);
                        }
                        // The declared name itself is reserved for the constructor.
                        Sort::Uninterpreted(if args.is_empty() {
                            Arc::from(name)
                        } else {
                            names.fresh(&name)
                        })
                    }
                };
                self.instances.insert((*id, args), sort.clone());
                sort
            }
        })
    }
}

impl Sorts {
    /// A polymorphic map type as a record. Where such a map is an element of one of its own type, there is no record for that.
    pub fn record(
        &mut self,
        background: &Background,
        names: &mut Names,
        map: &MapType,
    ) -> Result<Record, String> {
        if let Some(record) = self.records.get(map) {
            return Ok(record.clone());
        }
        if self.making.contains(map) {
            return Err("a polymorphic map with elements of its own type".into());
        }
        let mut free = Vec::new();
        free_vars(&Type::Map(Box::new(map.clone())), &mut free);
        if !free.is_empty() {
            return Err("a polymorphic map type that depends on a type parameter".into());
        }
        self.making.push(map.clone());
        let rest = Sort::Uninterpreted(names.fresh("polymap.rest"));
        let mut fields = vec![(Arc::from("rest"), FieldSort::Sort(rest))];
        let mut choices = Vec::new();
        let mut kept = Vec::new();
        for types in self.polymaps.maps.get(map).cloned().unwrap_or_default() {
            let sorts: Result<Vec<Sort>, String> = types
                .iter()
                .map(|ty| {
                    let opaque = self.opaque.clone();
                    self.sort(background, names, ty, &opaque)
                })
                .collect();
            // Uses of an instance without a sort are refused where they are.
            let Ok(sorts) = sorts else { continue };
            if choices.contains(&sorts) {
                continue;
            }
            let env: TypeEnv = map.type_params.iter().copied().zip(sorts.clone()).collect();
            let instance = Type::Map(Box::new(MapType {
                type_params: Vec::new(),
                ..map.clone()
            }));
            let Ok(sort) = ensure_stack(|| self.sort(background, names, &instance, &env)) else {
                continue;
            };
            let mut name = String::from("at");
            for sort in &sorts {
                name += "_";
                name += &mangle(sort);
            }
            fields.push((name.into(), sort.into()));
            choices.push(sorts);
            kept.push(types);
        }
        let name = names.fresh("polymap");
        let record = Record {
            sort: Sort::datatype(name.clone(), vec![ConstructorSort { name, fields }]),
            choices,
            types: kept,
        };
        self.making.pop();
        self.records.insert(map.clone(), record.clone());
        Ok(record)
    }

    /// The sort of a map without indices: a datatype with one constructor for its one element.
    fn only_element(&mut self, names: &mut Names, range: Sort) -> Sort {
        let made = self.only.entry(range.clone()).or_insert_with(|| {
            let name = names.fresh("map0");
            let constructor = ConstructorSort {
                name: name.clone(),
                fields: vec![("element".into(), range.into())],
            };
            Sort::datatype(name, vec![constructor])
        });
        made.clone()
    }

    /// Whether a sort may be the same as another one: it is, or is built with, what a type parameter stands for.
    pub fn is_open(&self, sort: &Sort) -> bool {
        let is_built = |args: &[Sort]| args.iter().any(|arg| ensure_stack(|| self.is_open(arg)));
        match sort {
            Sort::Map(map) => is_built(&map.domain) || is_built(std::slice::from_ref(&map.range)),
            Sort::Uninterpreted(_) | Sort::Datatype(_) => {
                if self.opaque.values().any(|opaque| opaque == sort) {
                    return true;
                }
                let instance = self.instance(sort);
                let declared = self.declared(sort);
                match (instance, declared) {
                    (Some((_, args)), _) => is_built(args),
                    (_, Some((_, args))) => is_built(args),
                    // A polymorphic map.
                    (None, None) => true,
                }
            }
            _ => false,
        }
    }

    /// The type constructor that a sort is an instance of, with its arguments.
    pub fn instance(&self, sort: &Sort) -> Option<&(TypeId, Vec<Sort>)> {
        let mut instances = self.instances.iter();
        instances
            .find(|(_, known)| *known == sort)
            .map(|(key, _)| key)
    }

    /// The datatype that a sort is an instance of, with its arguments.
    pub fn declared(&self, sort: &Sort) -> Option<&(DatatypeId, Vec<Sort>)> {
        let mut datatypes = self.datatypes.iter();
        datatypes
            .find(|(_, known)| *known == sort)
            .map(|(key, _)| key)
    }

    /// Whether a type with variables is a sort if these stand for something, which is entered.
    pub fn matches(&self, ty: &Type, sort: &Sort, choice: &mut TypeEnv) -> bool {
        let all = |types: &[Type], sorts: &[Sort], choice: &mut TypeEnv| {
            let mut pairs = types.iter().zip(sorts);
            types.len() == sorts.len()
                && pairs.all(|(ty, sort)| ensure_stack(|| self.matches(ty, sort, choice)))
        };
        match (ty, sort) {
            (Type::Var(var), _) => choice.entry(*var).or_insert_with(|| sort.clone()) == sort,
            (Type::Constructor(id, types), _) => {
                // Those that are sorts of the solver have no arguments.
                types.is_empty()
                    || self
                        .instance(sort)
                        .is_some_and(|(other, args)| id == other && all(types, args, choice))
            }
            (Type::Datatype(id, types), _) => self
                .declared(sort)
                .is_some_and(|(other, args)| id == other && all(types, args, choice)),
            (Type::Map(map), _) if !map.type_params.is_empty() => {
                let record = self.records.get(&**map);
                record.is_some_and(|record| record.sort == *sort)
            }
            (Type::Map(map), Sort::Map(sorts)) => {
                all(&map.domain, &sorts.domain, choice)
                    && ensure_stack(|| self.matches(&map.range, &sorts.range, choice))
            }
            // Nothing stands for anything in it.
            _ => true,
        }
    }

    /// Instances of recursive datatypes that came up since somebody asked, about which nothing is said yet.
    pub fn take_pending(&mut self) -> Vec<Pending> {
        std::mem::take(&mut self.pending)
    }

    /// Whether this is the only instance of a datatype so far.
    pub fn is_first(&self, id: DatatypeId) -> bool {
        self.datatypes
            .keys()
            .filter(|(other, _)| *other == id)
            .count()
            <= 1
    }

    /// The sort of an instance of a datatype.
    fn datatype(
        &mut self,
        background: &Background,
        names: &mut Names,
        id: DatatypeId,
        args: Vec<Sort>,
    ) -> Result<Sort, String> {
        if let Some(sort) = self.datatypes.get(&(id, args.clone())) {
            return Ok(sort.clone());
        }
        let Some(datatype) = background.datatypes.get(id.index()) else {
            return Err("an unknown datatype".into());
        };
        if datatype.constructors.is_empty() {
            return Err(format!("the datatype `{}`", datatype.name));
        }
        // The declared name itself is reserved for the datatype.
        let own_name = |names: &mut Names| match &args[..] {
            [] => (&*datatype.name).into(),
            args => {
                let mut name = datatype.name.clone();
                for arg in args {
                    name += "#";
                    name += &mangle(arg);
                }
                names.fresh(&name)
            }
        };
        let kinds = self.kinds.get_or_init(|| Kinds::of(background));
        if kinds.is_recursive(id) {
            if !kinds.has_axioms(id) {
                return Err(format!("the recursive datatype `{}`", datatype.name));
            }
            if let Some(height) = self.height {
                let level = self.level(background, names, (id, args), height)?;
                let level =
                    level.ok_or_else(|| format!("the recursive datatype `{}`", datatype.name))?;
                return Ok(level.sort.clone());
            }
            let sort = Sort::Uninterpreted(own_name(names));
            self.pending.push(Pending {
                datatype: id,
                args: args.clone(),
                sort: sort.clone(),
            });
            self.datatypes.insert((id, args), sort.clone());
            return Ok(sort);
        }
        let env: TypeEnv = datatype
            .type_params
            .iter()
            .map(|parameter| parameter.id)
            .zip(args.iter().cloned())
            .collect();
        // Graphs name constructors without their datatype, so instances have constructors of their own.
        let first = self.datatypes.keys().all(|(other, _)| *other != id);
        let constructors: Result<Vec<ConstructorSort>, String> = datatype
            .constructors
            .iter()
            .map(|constructor| {
                let mut fields = Vec::with_capacity(constructor.fields.len());
                for &field in &constructor.fields {
                    let field = &datatype.fields[field];
                    let sort = self.sort(background, names, &field.ty, &env)?;
                    fields.push((Arc::from(&*field.name), sort.into()));
                }
                let name = match first {
                    true => (&*constructor.name).into(),
                    false => names.fresh(&constructor.name),
                };
                Ok(ConstructorSort { name, fields })
            })
            .collect();
        let name = own_name(names);
        let sort = Sort::datatype(name, constructors?);
        self.datatypes.insert((id, args), sort.clone());
        Ok(sort)
    }

    /// The bounds of recursive datatypes.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The highest values of the instance that a level belongs to: those that variables have.
    pub fn highest(
        &mut self,
        background: &Background,
        names: &mut Names,
        level: &Level,
    ) -> Result<Arc<Level>, String> {
        let height = self.height.unwrap_or_default();
        let highest = self.level(background, names, level.instance.clone(), height)?;
        highest.ok_or_else(|| "a datatype without values".into())
    }

    /// The values of an instance of a recursive datatype up to a height; `None` if there are none so low.
    fn level(
        &mut self,
        background: &Background,
        names: &mut Names,
        instance: Instance,
        height: u32,
    ) -> Result<Option<Arc<Level>>, String> {
        let key = (instance, height);
        if let Some(known) = self.bounds.levels.get(&key) {
            return Ok(known.clone());
        }
        let (instance, _) = key;
        let datatype = &background.datatypes[instance.0.index()];
        let kinds = self.kinds.get_or_init(|| Kinds::of(background));
        if !kinds.has_axioms(instance.0) {
            return Err(format!("the recursive datatype `{}`", datatype.name));
        }
        // A field may mention the datatype in other ways than by being one: then there is no end.
        let is_highest = self.height == Some(height);
        if is_highest && !self.open.insert(instance.0) {
            return Err(format!("the recursive datatype `{}`", datatype.name));
        }
        let made = ensure_stack(|| self.new_level(background, names, &instance, height));
        if is_highest {
            self.open.remove(&instance.0);
        }
        let level = made?.map(Arc::new);
        if let (true, Some(level)) = (is_highest, &level) {
            self.datatypes.insert(instance.clone(), level.sort.clone());
        }
        self.bounds.insert(instance, height, level.clone());
        Ok(level)
    }

    fn new_level(
        &mut self,
        background: &Background,
        names: &mut Names,
        instance: &Instance,
        height: u32,
    ) -> Result<Option<Level>, String> {
        let (id, args) = instance;
        let datatype = &background.datatypes[id.index()];
        let params = datatype.type_params.iter().map(|parameter| parameter.id);
        let env: TypeEnv = params.zip(args.iter().cloned()).collect();
        let is_first = self.datatypes.keys().all(|(other, _)| other != id);
        let (mut numbers, mut below, mut constructors) = (Vec::new(), Vec::new(), Vec::new());
        for constructor in &datatype.constructors {
            let (mut fields, mut inner) = (Vec::new(), Vec::new());
            for &field in &constructor.fields {
                let field = &datatype.fields[field];
                let Some((sort, level)) = self.below(background, names, &field.ty, &env, height)?
                else {
                    break;
                };
                fields.push((Arc::from(&*field.name), sort.into()));
                inner.push(level);
            }
            let is_low = fields.len() == constructor.fields.len();
            let number = u32::try_from(constructors.len()).map_err(|_| "a large datatype")?;
            numbers.push(is_low.then_some(number));
            if is_low {
                // Values are shown with it, so it is the same for all heights.
                let name = Arc::from(&*constructor.name);
                constructors.push(ConstructorSort { name, fields });
            }
            below.push(inner);
        }
        if constructors.is_empty() {
            return Ok(None);
        }
        let name = match self.height == Some(height) && is_first {
            true => Arc::from(&*datatype.name),
            false => names.fresh(&datatype.name),
        };
        let sort = Sort::datatype(name, constructors);
        let mark = Function {
            name: names.fresh(&format!("{}.too_high", datatype.name)),
            params: vec![Sort::Bool],
            result: sort.clone(),
        };
        Ok(Some(Level {
            instance: instance.clone(),
            sort,
            numbers,
            below,
            mark: Arc::new(mark),
        }))
    }

    /// The sort of a field of values up to a height; `None` if there are no values for it.
    #[allow(clippy::type_complexity, reason = "it is said in one sentence")]
    fn below(
        &mut self,
        background: &Background,
        names: &mut Names,
        ty: &Type,
        env: &TypeEnv,
        height: u32,
    ) -> Result<Option<(Sort, Option<Arc<Level>>)>, String> {
        let kinds = self.kinds.get_or_init(|| Kinds::of(background));
        let Type::Datatype(id, args) = ty else {
            return Ok(Some((self.sort(background, names, ty, env)?, None)));
        };
        if !kinds.is_recursive(*id) {
            return Ok(Some((self.sort(background, names, ty, env)?, None)));
        }
        let Some(height) = height.checked_sub(1) else {
            return Ok(None);
        };
        let args = args.iter().map(|ty| self.sort(background, names, ty, env));
        let args = args.collect::<Result<Vec<Sort>, String>>()?;
        let level = self.level(background, names, (*id, args), height)?;
        Ok(level.map(|level| (level.sort.clone(), Some(level))))
    }
}

/// A floating point sort; solvers want at least two bits of each kind.
fn float(exponent: u32, significand: u32) -> Result<Sort, String> {
    if exponent < 2 || significand < 2 || exponent > MAX_WIDTH || significand > MAX_WIDTH {
        return Err(format!("the type `float{significand}e{exponent}`"));
    }
    Ok(Sort::Float(exponent, significand))
}

/// The solver's sort which `{:builtin "Name"} {:indices i, j}` names for these type arguments, if there is such an
/// attribute.
fn builtin(attributes: &[Attribute], args: &[Sort]) -> Result<Option<Sort>, String> {
    let Some(name) = string_argument(attributes, "builtin") else {
        return Ok(None);
    };
    let unknown = || Err(format!("the solver's sort `{name}`"));
    let indices = indices(attributes).ok_or_else(|| format!("the indices of `{name}`"))?;
    Ok(Some(match (name.as_str(), &indices[..]) {
        ("FloatingPoint", [exponent, significand]) => float(*exponent, *significand)?,
        ("Float16", []) => Sort::Float(5, 11),
        ("Float32", []) => Sort::Float(8, 24),
        ("Float64", []) => Sort::Float(11, 53),
        ("Float128", []) => Sort::Float(15, 113),
        ("RoundingMode", []) => Sort::RoundingMode,
        ("Bool", []) => Sort::Bool,
        ("Int", []) => Sort::Int,
        ("Real", []) => Sort::Real,
        ("BitVec", [width]) if (1..=MAX_WIDTH).contains(width) => Sort::BitVec(*width),
        ("Seq", []) => match args {
            [element] => Sort::Seq(element.clone().into()),
            _ => return unknown(),
        },
        ("String", []) => Sort::String,
        ("RegLan" | "RegEx", []) => Sort::RegEx,
        _ => return unknown(),
    }))
}

/// The string argument of the attribute `name`.
pub fn string_argument(attributes: &[Attribute], name: &str) -> Option<String> {
    let attribute = attributes.iter().find(|a| a.name == name)?;
    match &attribute.args[..] {
        [AttributeArgument::String(text)] => Some(text.clone()),
        [AttributeArgument::Expr(e)] => match &e.kind {
            ExprKind::String(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The numbers of the attribute `{:indices ...}`; none if it is missing, `None` if it is not a
/// list of numbers.
pub fn indices(attributes: &[Attribute]) -> Option<Vec<u32>> {
    let Some(attribute) = attributes.iter().find(|a| a.name == "indices") else {
        return Some(Vec::new());
    };
    attribute
        .args
        .iter()
        .map(|arg| match arg {
            AttributeArgument::Expr(e) => match &e.kind {
                ExprKind::Int(value) => u32::try_from(value).ok(),
                _ => None,
            },
            _ => None,
        })
        .collect()
}
